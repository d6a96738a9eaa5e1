import { type CanonicalAddress, parseAddress } from "../../address.ts";

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;
/** A word that holds an address; older libraries leave TRON's prefix 41 there. What has more zeros is a small number. */
const ADDRESS_WORD = /^0{22}(?:00|41)(?!0{24})[0-9a-f]{40}$/;
/** A call that is handed on begins with a selector of its own: its words lie four bytes off, once more at each level. */
const LEVELS = 4;

/**
 * Whatever stands in calldata in the form of an address: as an argument of any function, and in calls that are handed on
 * inside. Some are no addresses; none is missed that is padded as the ABI has it, up to three levels down. Takes time in
 * the length of the data: at most one address for each eight bytes.
 */
export function addressesInCall(data: string): readonly CanonicalAddress[] {
  const found = new Set<string>();
  for (let level = 1; level <= LEVELS; level++) {
    for (let at = level * SELECTOR_DIGITS; at + WORD_DIGITS <= data.length; at += WORD_DIGITS) {
      const word = data.slice(at, at + WORD_DIGITS);
      if (ADDRESS_WORD.test(word)) found.add(word.slice(24));
    }
  }
  return [...found].flatMap((digits) => {
    const address = parseAddress("tron", `41${digits}`);
    return address.ok ? [address.value] : [];
  });
}
