import { numberAt, toHex } from "../../evm-analysis/machine/code.ts";

export const WORD_BYTES = 32;
const ADDRESS_AT = 12;

/** The address in an ABI word. Undefined for zero, and for a word that is no address. */
export function addressOf(word: Uint8Array | undefined): string | undefined {
  if (word === undefined || word.length < WORD_BYTES) return undefined;
  const number = numberAt(word, 0, WORD_BYTES);
  if (number === 0n || number >= 1n << 160n) return undefined;
  return `0x${toHex(word.subarray(ADDRESS_AT, WORD_BYTES))}`;
}

/** True when a word is the ABI's true. */
export function isTrue(word: Uint8Array | undefined): boolean {
  return word !== undefined && word.length >= WORD_BYTES && numberAt(word, 0, WORD_BYTES) === 1n;
}
