import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { Overlap } from "../../chains/lookalike.ts";
import { isNumbered } from "../../chains/numbered-address.ts";

/** A row of equal hex digits that no search finds: one digit repeated 20 times takes 16^19 = 2^76 attempts. */
const writtenDown = /([0-9a-f])\1{19}/;

/**
 * True when the address was written down and not searched for. Such addresses are numbered ones
 * (src/chains/numbered-address.ts). On EVM, rows of one digit count as well, such as 0xeeee...eeee for a chain's coin.
 * These addresses were not made to look like a labelled one.
 */
export function isWrittenDown(family: Family, address: CanonicalAddress): boolean {
  return isNumbered(family, address) || (family === "evm" && writtenDown.test(address));
}

/**
 * True when all shared characters at both ends are one repeated digit, such as 0x7777...7777. Many projects
 * independently search for such addresses, because they are pretty. Of 16,539 bundled EVM addresses, 178 begin with
 * three equal digits and 107 end with three. Two addresses with both are alike by chance. If one end is not of one
 * digit, the likeness counts in full.
 */
export function isOrnament(family: Family, address: CanonicalAddress, { prefix, suffix }: Overlap): boolean {
  if (family !== "evm") return false;
  return isOneDigit(address.slice(2, 2 + prefix)) && isOneDigit(address.slice(address.length - suffix));
}

function isOneDigit(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
