import type { CanonicalAddress } from "../../address.ts";
import { type AbiValue, addressOf } from "../abi/abi-reader.ts";
import type { TupleType } from "../abi/abi-type.ts";
import type { EvmAct } from "../act.ts";
import { type ArgumentRole, collectRoles, type RoleValues } from "./argument-roles.ts";
import { ALL, type Called, ZERO_ADDRESS } from "./token-calls.ts";

/** What one call of a service does, as far as its arguments tell. */
export interface ServiceReading {
  /** The accounts that receive the proceeds, the caller among them where the call is a trade. */
  readonly payOuts: readonly PayOut[];
  /** The rights that the call gives or revokes. */
  readonly rights: readonly EvmAct[];
  /** Tokens that the call names, without the native coin. */
  readonly tokens: readonly CanonicalAddress[];
  /** Other addresses that the call names. */
  readonly mentions: readonly CanonicalAddress[];
  /** The account that receives a share of what the contract has, and the share in 1 of 10,000. */
  readonly fee: { readonly to: CanonicalAddress; readonly bips: bigint } | undefined;
  /** Whether the arguments leave a part of the effect open. */
  readonly isOpaque: boolean;
  /** Whether a recipient is named in a form that only another chain has. */
  readonly paysAbroad: boolean;
  /** Whether the call only forwards what an earlier call left with the contract. */
  readonly forwards: boolean;
  /** Undefined when the call uses nothing that an earlier call left with the contract. */
  readonly takes: { readonly token: CanonicalAddress | undefined } | undefined;
}

export type PayOut = Extract<EvmAct, { readonly does: "pay_out" }>;

/** Stands for the native coin. Source: ERC-7528. */
const NATIVE = addressOf("e".repeat(40));
/** An amount of this size bounds nothing. No listed token has as many units. */
const UNBOUNDED = 2n ** 112n - 1n;
const ADDRESS_DIGITS = 40;

/** A function, with its arguments named by their roles. */
export interface Declaration {
  readonly inputs: TupleType;
  /** Whether the proceeds stay with the contract until a later call takes them. */
  readonly leavesProceeds?: true;
}

/** Reads a call of a service by the roles of its arguments. Never throws. */
export function readServiceCall(
  { inputs, leavesProceeds }: Declaration,
  values: readonly AbiValue[],
  called: Called,
): ServiceReading {
  const roles = collectRoles(inputs, values);
  const paths = pathTokens(roles);
  const tokens = [
    ...addresses(roles, "tokenIn"),
    ...addresses(roles, "tokenOut"),
    ...addresses(roles, "token"),
    ...paths,
  ];
  const recipients = recipientsIn(roles, called);
  const takes = takesOf(roles, paths);
  const least = leastOf(roles, takes !== undefined);
  const token = boughtToken(roles, paths);
  const forwards = roles.byRole.has("leastLeft");
  // A trade without a recipient pays its caller.
  const payee = leavesProceeds === true && !forwards ? called.contract : called.by;
  const payees = recipients.accounts.length === 0 && least !== undefined ? [payee] : recipients.accounts;
  return {
    payOuts: payees.map((to) => ({ does: "pay_out", by: called.contract, to, token, least })),
    rights: rightsIn(roles, called),
    tokens: [...new Set(tokens)].filter((each) => !isNative(each)),
    mentions: [...new Set([...roles.others, ...addresses(roles, "owner"), ...addresses(roles, "feeRecipient")])].filter(
      (address) => address !== called.by && !isNative(address),
    ),
    paysAbroad: recipients.isForeign,
    isOpaque: roles.isOpaque || integers(roles, "basicOrderType").some((type) => type >= 8n),
    fee: feeOf(roles),
    forwards,
    takes,
  };
}

/** The least amount of a trade. An unbounded cost counts as 0. Undefined where the call is no trade. */
function leastOf(roles: RoleValues, isPaidByContract: boolean): bigint | undefined {
  if (!isPaidByContract && integers(roles, "most").some((most) => most >= UNBOUNDED)) return 0n;
  const bounds = [...integers(roles, "least"), ...integers(roles, "leastLeft")];
  return bounds.length === 0 ? undefined : bounds.toSorted(byAmount)[0];
}

function takesOf(roles: RoleValues, paths: readonly CanonicalAddress[]): ServiceReading["takes"] {
  if (roles.byRole.has("leastLeft")) return { token: addresses(roles, "token").at(-1) };
  const isPaidByContract = (roles.byRole.get("payerIsUser") ?? []).includes(false);
  if (isPaidByContract || integers(roles, "amountOrBalance").includes(0n)) return { token: paths.at(0) };
  return undefined;
}

function feeOf(roles: RoleValues): ServiceReading["fee"] {
  const to = addresses(roles, "feeRecipient").at(-1);
  return to === undefined ? undefined : { to, bips: integers(roles, "bips").at(-1) ?? 0n };
}

interface Recipients {
  readonly accounts: readonly CanonicalAddress[];
  /** Whether a recipient is named in a form of another chain. */
  readonly isForeign: boolean;
}

function recipientsIn(roles: RoleValues, { by, contract }: Called): Recipients {
  const marked = (role: ArgumentRole, markers: Readonly<Record<string, CanonicalAddress>>) =>
    addresses(roles, role).map((address) => markers[address] ?? address);
  const words = [
    ...hexes(roles, "recipientWord").filter(isGiven).map(addressInWord),
    ...hexes(roles, "credentials").flatMap(addressesInCredentials),
  ];
  const numbers = integers(roles, "recipientNumber").map((number) => numbered(BigInt.asUintN(160, number)));
  const accounts = [
    ...addresses(roles, "recipient"),
    ...marked("recipientOrCaller", { [ZERO_ADDRESS]: by }),
    ...marked("recipientOrSelf", { [ZERO_ADDRESS]: contract }),
    ...marked("recipientOrMarker", { [numbered(1)]: by, [numbered(2)]: contract }),
    ...words.filter((word) => word !== undefined),
    ...numbers.map((address) => (address === ZERO_ADDRESS ? by : address)),
  ];
  return {
    accounts: [...new Set(accounts)],
    isForeign: words.includes(undefined) || roles.byRole.has("foreignRecipient"),
  };
}

function rightsIn(roles: RoleValues, { by, contract }: Called): readonly EvmAct[] {
  const token = addresses(roles, "token").at(-1) ?? contract;
  const amount = integers(roles, "amount").at(-1) ?? ALL;
  const isGranted = !(roles.byRole.get("granted") ?? []).includes(false);
  const revoke = (spender: CanonicalAddress): EvmAct => ({ does: "revoke", token, of: by, spender });
  return [
    ...addresses(roles, "spender").map(
      (spender): EvmAct =>
        amount === 0n || !isGranted
          ? revoke(spender)
          : { does: "approve", token, of: by, spender, amount, adds: false, by: "call" },
    ),
    ...addresses(roles, "operator").map(
      (spender): EvmAct => (isGranted ? { does: "approve_all", token, of: by, spender } : revoke(spender)),
    ),
    ...addresses(roles, "admin").map((to): EvmAct => ({ does: "give_ownership", contract, to })),
    ...addresses(roles, "module")
      .filter((to) => to !== ZERO_ADDRESS)
      .map((to): EvmAct => ({ does: "add_module", contract, to })),
  ];
}

function boughtToken(roles: RoleValues, paths: readonly CanonicalAddress[]): CanonicalAddress | undefined {
  const token = addresses(roles, "tokenOut").at(-1) ?? paths.at(-1) ?? addresses(roles, "token").at(-1);
  return token === undefined || isNative(token) ? undefined : token;
}

/** The first and the last token of each path, in the order of the trade. */
function pathTokens(roles: RoleValues): readonly CanonicalAddress[] {
  const packed = hexes(roles, "packedPath").flatMap(pathEnds);
  const back = hexes(roles, "packedPathBack").flatMap((path) => pathEnds(path).toReversed());
  return [...addresses(roles, "path"), ...packed, ...back];
}

/** The ends of a path that is packed as token, fee, token, ... */
function pathEnds(path: string): readonly CanonicalAddress[] {
  if (path.length < ADDRESS_DIGITS) return [];
  return [path.slice(0, ADDRESS_DIGITS), path.slice(-ADDRESS_DIGITS)].map(addressOf);
}

const byAmount = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const isGiven = (hex: string) => !/^0*$/.test(hex);

/** An address in 20 bytes, or in a word. Undefined for the address of another kind of chain. */
function addressInWord(hex: string): CanonicalAddress | undefined {
  const [, digits] = /^(?:0{24})?([0-9a-f]{40})$/.exec(hex) ?? [];
  return digits === undefined ? undefined : addressOf(digits);
}

/** Credentials that begin with 01 or 02 name an account. Others name a key. One call may hold several in a row. */
function addressesInCredentials(hex: string): readonly (CanonicalAddress | undefined)[] {
  return (hex.match(/.{1,64}/g) ?? []).map((each) => {
    const [, digits] = /^0[12]0{22}([0-9a-f]{40})$/.exec(each) ?? [];
    return digits === undefined ? undefined : addressOf(digits);
  });
}

const numbered = (number: number | bigint) => addressOf(number.toString(16).padStart(ADDRESS_DIGITS, "0"));
const isNative = (address: CanonicalAddress) => address === NATIVE || address === ZERO_ADDRESS;

function addresses({ byRole }: RoleValues, role: ArgumentRole): readonly CanonicalAddress[] {
  return (byRole.get(role) ?? []).filter((value) => typeof value === "string");
}

function integers({ byRole }: RoleValues, role: ArgumentRole): readonly bigint[] {
  return (byRole.get(role) ?? []).filter((value) => typeof value === "bigint");
}

function hexes({ byRole }: RoleValues, role: ArgumentRole): readonly string[] {
  return (byRole.get(role) ?? []).flatMap((value) => (typeof value === "object" && "hex" in value ? [value.hex] : []));
}
