import { keccak256 } from "./keccak256.ts";

const WORD_BYTES = 32;

/** A word as 32 bytes, highest first. */
export function wordBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(WORD_BYTES);
  for (let at = WORD_BYTES - 1, left = value; at >= 0 && left > 0n; at--, left >>= 8n) bytes[at] = Number(left & 0xffn);
  return bytes;
}

/** The number that bytes spell, highest first. */
export function wordOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

/**
 * Where the elements of the array at `slot` begin: the hash of the slot.
 * Source: Solidity documentation, "Layout of State Variables in Storage".
 */
export const elementsAt = (slot: bigint): bigint => wordOf(keccak256(wordBytes(slot)));

/** The hash of the first `size` bytes of words: of a text, as names of slots are hashed. */
export const hashOf = (words: readonly bigint[], size: number): bigint =>
  wordOf(keccak256(Uint8Array.from(words.flatMap((word) => [...wordBytes(word)])).subarray(0, size)));

/**
 * Where the mapping at `slot` keeps the entry of `key`: as Solidity hashes the two, then as Vyper does. Sources: the
 * documentation of Solidity, "Layout of State Variables in Storage", and of Vyper, "Storage Layout".
 */
export function entriesAt(slot: bigint, key: bigint): readonly bigint[] {
  const [outer, inner] = [wordBytes(slot), wordBytes(key)];
  return [
    [inner, outer],
    [outer, inner],
  ].map((words) => wordOf(keccak256(Uint8Array.from(words.flatMap((word) => [...word])))));
}

/** Slots that a contract declares; more than any that was ever seen. */
const DECLARED = 256;
/** Elements of one array that code may name by number. */
const NAMED = 1n << 16n;

const starts = Array.from({ length: DECLARED }, (_none, slot) => elementsAt(BigInt(slot)));

/** The slot of the array that the word at `place` is an element of, when an optimizer hashed the slot beforehand. */
export function arrayAt(place: bigint): bigint | undefined {
  if (place < 1n << 128n) return undefined;
  const slot = starts.findIndex((start) => place >= start && place < start + NAMED);
  return slot < 0 ? undefined : BigInt(slot);
}
