import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { Overlap } from "../../chains/lookalike.ts";

/** Hex digits in a row that nobody can search for: one digit repeated 20 times takes 16^19 = 2^76 attempts. */
const writtenDown = /([0-9a-f])\1{19}/;

/**
 * Whether the address was written down rather than found: the null address, precompiles, the contracts that a chain is
 * born with (0x4200...0006), and the places where tokens are burnt (0x...dead). Nobody chose it to look like another's.
 * Of Solana's padded programs the address formats know this already (`solanaEnding`).
 */
export function isWrittenDown(family: Family, address: CanonicalAddress): boolean {
  return family === "evm" && writtenDown.test(address);
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
