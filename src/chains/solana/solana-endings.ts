/**
 * The endings that launchpads grind into the mints of all their tokens. Case counts. RECALLED, and each confirmed in
 * public code that recognizes launchpads by it: pump.fun, letsbonk.fun, Moonshot, Jupiter Studio, Bags, Believe.
 */
const launchpadEndings = ["pump", "bonk", "moon", "jups", "BAGS", "BLV"] as const;

/**
 * The programs and accounts of the network are a word and then at least 20 ones to the end (`Vote111...`). A key for an
 * address with 16 ones takes 58^16 attempts. So such an address was written down and has no key.
 */
const padding = /1{16}$/;

/**
 * The common ending of a Solana address: thousands of unrelated addresses were made to have it, so it does not identify
 * an owner. Empty when there is none. For an address padded with ones, the ending is the whole address. No key exists
 * for it, so it cannot imitate another padded address, even with a common word (`Sysvar`).
 */
export function solanaEnding(address: string): string {
  const last = address.charCodeAt(address.length - 1);
  if (!lastCharacters.has(last)) return "";
  if (padding.test(address)) return address;
  return launchpadEndings.find((ending) => address.endsWith(ending)) ?? "";
}

/** Most addresses end in another character, and this check rejects them first. */
const lastCharacters: ReadonlySet<number> = new Set(
  ["1", ...launchpadEndings].map((ending) => ending.charCodeAt(ending.length - 1)),
);
