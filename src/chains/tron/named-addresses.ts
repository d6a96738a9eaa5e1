import { type CanonicalAddress, parseAddress } from "../address.ts";
import { addressesInCall } from "./calls/addresses-in-call.ts";

/** Operations that revoke a right. A revocation from a listed address must stay possible, so its address is ignored. */
const takingBack: ReadonlySet<string> = new Set(["UnDelegateResourceContract", "UnfreezeBalanceContract"]);
const RECEIVER = "receiver_address";
/** Text that may be an address: 0x41 and 20 bytes in hex, or base58. */
const addressForm = /^(?:41[0-9a-fA-F]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/;

/**
 * Every address that the payload of an operation names, in any member: recipients, contracts, and keys that get a
 * permission.
 *
 * @param data calldata in hex digits; its arguments are searched as well.
 * @param losing a spender that loses a right by the call, which is left out.
 */
export function namedAddresses(
  type: string,
  payload: unknown,
  data: string,
  losing?: CanonicalAddress,
): readonly CanonicalAddress[] {
  const found = new Set<CanonicalAddress>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "string") {
      if (!addressForm.test(value) || (takingBack.has(type) && name === RECEIVER)) return;
      const address = parseAddress("tron", value);
      if (address.ok) found.add(address.value);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) visit(member, key);
    }
  };
  visit(payload, "");
  for (const address of addressesInCall(data)) if (address !== losing) found.add(address);
  return [...found];
}
