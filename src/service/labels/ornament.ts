import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { Overlap } from "../../chains/lookalike.ts";
import { isNumbered } from "../../chains/numbered-address.ts";

/** Hex digits in a row that no search finds: one digit repeated 20 times takes 16^19 = 2^76 attempts. */
const writtenDown = /([0-9a-f])\1{19}/;

/**
 * Whether the address was written down rather than found: what was numbered (chains/numbered-address.ts), and on EVM also
 * rows of another digit, such as 0xeeee...eeee for a chain's coin. It was not chosen to look like a labelled address.
 */
export function isWrittenDown(family: Family, address: CanonicalAddress): boolean {
  return isNumbered(family, address) || (family === "evm" && writtenDown.test(address));
}

/**
 * Whether all that two addresses share at either end is one digit repeated, such as 0x7777...7777. Many projects search
 * for such addresses, each for itself, because they are pretty: of 16,539 bundled EVM addresses 178 begin with three
 * equal digits and 107 end with three, and two with both are alike whoever made them. One end that is not of that
 * kind is as telling as ever.
 */
export function isOrnament(family: Family, address: CanonicalAddress, { prefix, suffix }: Overlap): boolean {
  if (family !== "evm") return false;
  return isOneDigit(address.slice(2, 2 + prefix)) && isOneDigit(address.slice(address.length - suffix));
}

function isOneDigit(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
