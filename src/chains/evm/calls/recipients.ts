import type { CanonicalAddress } from "../../address.ts";
import { addressOf } from "../abi/abi-reader.ts";
import type { ArgumentRole, RoleValues } from "./argument-roles.ts";
import { addresses, hexes, integers, numbered } from "./role-values.ts";
import { type Called, ZERO_ADDRESS } from "./token-calls.ts";

export interface Recipients {
  readonly accounts: readonly CanonicalAddress[];
  /** Code that the call chooses, and that handles the assets of the trade. */
  readonly executors: readonly CanonicalAddress[];
  /** Whether a recipient or a token is named in a form of another chain. */
  readonly isForeign: boolean;
}

/** The accounts that receive what the call pays out, by the roles of its arguments. */
export function recipientsIn(roles: RoleValues, { by, contract }: Called): Recipients {
  const marked = (role: ArgumentRole, markers: Readonly<Record<string, CanonicalAddress>>) =>
    addresses(roles, role).map((address) => markers[address] ?? address);
  const words = [
    ...hexes(roles, "recipientWord").map(addressInWord),
    ...hexes(roles, "credentials").flatMap(addressesInCredentials),
  ];
  const accounts = [
    ...addresses(roles, "recipient"),
    ...marked("recipientOrCaller", { [ZERO_ADDRESS]: by }),
    ...marked("recipientOrSelf", { [ZERO_ADDRESS]: contract }),
    ...marked("recipientOrMarker", { [numbered(1n)]: by, [numbered(2n)]: contract }),
    ...words.filter((word) => word !== undefined),
    ...integers(roles, "recipientNumber")
      .map((number) => numbered(BigInt.asUintN(160, number)))
      .map((address) => (address === ZERO_ADDRESS ? by : address)),
  ];
  const isForeign =
    words.includes(undefined) ||
    roles.byRole.has("foreignRecipient") ||
    hexes(roles, "foreignWord").some(isGiven) ||
    addresses(roles, "remoteToken").some((token) => token !== ZERO_ADDRESS);
  const executors = addresses(roles, "executor").filter(
    (address) => address !== ZERO_ADDRESS && address !== contract && address !== by,
  );
  return { accounts: [...new Set(accounts)], executors, isForeign };
}

const isGiven = (hex: string) => !/^0*$/.test(hex);

/** An address in 20 bytes, or in a word. Undefined for zero, and for the address of another kind of chain. */
function addressInWord(hex: string): CanonicalAddress | undefined {
  const [, digits] = /^(?:0{24})?([0-9a-f]{40})$/.exec(hex) ?? [];
  return digits === undefined || !isGiven(digits) ? undefined : addressOf(digits);
}

/** Credentials that begin with 01 or 02 name an account. Others name a key. One call may hold several in a row. */
function addressesInCredentials(hex: string): readonly (CanonicalAddress | undefined)[] {
  return (hex.match(/.{1,64}/g) ?? []).map((each) => {
    const [, digits] = /^0[12]0{22}([0-9a-f]{40})$/.exec(each) ?? [];
    return digits === undefined ? undefined : addressOf(digits);
  });
}
