/**
 * What launchpads grind the mints of all their tokens to end with. RECALLED, and each found again in public code that
 * tells launchpads apart by it: pump.fun, letsbonk.fun, Moonshot, Jupiter Studio, Bags, Believe. Case counts.
 */
const launchpadEndings = ["pump", "bonk", "moon", "jups", "BAGS", "BLV"] as const;

/**
 * The system's own programs and accounts are a word and then ones to the end (`Vote111...`), at least 20 of them. Nobody
 * can search for a key whose address has 16, 58^16 attempts, so such an address was written down, not found.
 */
const padding = /1{16}$/;

/**
 * The end of a Solana address that says nothing about whose it is, because thousands of unrelated addresses were made to
 * have it; empty when there is none. Of an address padded with ones that is the whole: nobody has its key, so it is
 * no imitation of another padded one, whatever words they share (`Sysvar`).
 */
export function solanaEnding(address: string): string {
  const last = address.charCodeAt(address.length - 1);
  if (!lastCharacters.has(last)) return "";
  if (padding.test(address)) return address;
  return launchpadEndings.find((ending) => address.endsWith(ending)) ?? "";
}

/** Most addresses end otherwise, and are done with here. */
const lastCharacters: ReadonlySet<number> = new Set(
  ["1", ...launchpadEndings].map((ending) => ending.charCodeAt(ending.length - 1)),
);
