import { keccak256 } from "./keccak256.ts";

const WORD_BYTES = 32;

/** A word as 32 bytes, big-endian. */
export function wordBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(WORD_BYTES);
  for (let at = WORD_BYTES - 1, left = value; at >= 0 && left > 0n; at--, left >>= 8n) bytes[at] = Number(left & 0xffn);
  return bytes;
}

/** The number that big-endian bytes spell. */
export function wordOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

/**
 * The first slot of the elements of the array at `slot`: the hash of the slot. Source: Solidity documentation, "Layout
 * of State Variables in Storage".
 */
export const elementsAt = (slot: bigint): bigint => wordOf(keccak256(wordBytes(slot)));

/** The hash of the first `size` bytes of words. Names of slots are hashed in this way. */
export const hashOf = (words: readonly bigint[], size: number): bigint =>
  wordOf(keccak256(Uint8Array.from(words.flatMap((word) => [...wordBytes(word)])).subarray(0, size)));

/**
 * The slots where the mapping at `slot` keeps the entry of `key`: first by the rule of Solidity, then by the rule of
 * Vyper. Sources: Solidity documentation, "Layout of State Variables in Storage"; Vyper documentation, "Storage
 * Layout".
 */
export function entriesAt(slot: bigint, key: bigint): readonly bigint[] {
  const [outer, inner] = [wordBytes(slot), wordBytes(key)];
  return [
    [inner, outer],
    [outer, inner],
  ].map((words) => wordOf(keccak256(Uint8Array.from(words.flatMap((word) => [...word])))));
}

/** The number of slots that are assumed to be declared. No observed contract declares more. */
const DECLARED = 256;
/** The number of elements of one array that code may address by index. */
const NAMED = 1n << 16n;

const starts = Array.from({ length: DECLARED }, (_none, slot) => elementsAt(BigInt(slot)));

/**
 * The slot of the array that contains the word at `place`. It is found although an optimizer hashed the slot
 * beforehand.
 */
export function arrayAt(place: bigint): bigint | undefined {
  if (place < 1n << 128n) return undefined;
  const slot = starts.findIndex((start) => place >= start && place < start + NAMED);
  return slot < 0 ? undefined : BigInt(slot);
}
