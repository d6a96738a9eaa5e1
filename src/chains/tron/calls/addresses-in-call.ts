import { type CanonicalAddress, parseAddress } from "../../address.ts";

const SELECTOR_DIGITS = 8;
const WORD_DIGITS = 64;
/**
 * A word that holds an address. Older libraries leave TRON's prefix 41 in the padding. A word with more zeros is a
 * small number.
 */
const ADDRESS_WORD = /^0{22}(?:00|41)(?!0{24})[0-9a-f]{40}$/;
/**
 * Depth of forwarded calls. A forwarded call begins with its own selector, so its words are shifted by four bytes at
 * each level.
 */
const LEVELS = 4;

/**
 * Every word of calldata in the form of an address: arguments of any function, and arguments of forwarded calls. Some
 * of the words are no addresses. Every address with ABI padding is found, up to three levels down. The time is linear
 * in the length of the data: at most one address for each eight bytes.
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
