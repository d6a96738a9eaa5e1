import { type CanonicalAddress, canonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { keyText } from "../../chains/solana/key.ts";

/** Bits of the first three bytes. They reject nearly every position in calldata. */
const LEADING_BITS = 24;
const MASK = 2 ** LEADING_BITS - 1;
/** Addresses with more zero bytes were numbered, not ground. Padding and small numbers in calldata look like them. */
const MOST_ZEROS = 8;
/** Digits of base58 that a double holds exactly. */
const EXACT_DIGITS = 9;
/** More than the contribution of the remaining digits to the leading bytes, and more than the rounding error. */
const TOLERANCE = 1e-5;
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

interface Form {
  /** Bytes of an address within calldata. */
  readonly bytes: number;
  readonly text: (bytes: Buffer) => string;
  /** The possible values of the first three bytes of the address. */
  readonly leading: (address: CanonicalAddress) => readonly number[];
}

const hexOf = (bytes: Buffer) => bytes.toString("hex");

/** Bitcoin has no calldata. */
const forms: Readonly<Partial<Record<Family, Form>>> = {
  evm: {
    bytes: 20,
    text: (bytes) => `0x${hexOf(bytes)}`,
    leading: (address) => [Number.parseInt(address.slice(2, 8), 16)],
  },
  // A version byte precedes the 20 bytes, and a checksum of four bytes follows.
  tron: { bytes: 20, text: (bytes) => `41${hexOf(bytes)}`, leading: (address) => base58Leading(address, 25, 4) },
  solana: { bytes: 32, text: keyText, leading: (address) => base58Leading(address, 32, 3) },
};

/** Finds the addresses of a set at any byte of calldata. One bit marks each beginning of an address of the set. */
export class LeadingBytes {
  readonly #begins = new Map<Family, Uint8Array>();

  add(family: Family, address: CanonicalAddress): void {
    const form = forms[family];
    if (form === undefined) return;
    const bits = this.#begins.get(family) ?? new Uint8Array(2 ** (LEADING_BITS - 3));
    this.#begins.set(family, bits);
    for (const number of form.leading(address)) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  }

  /** Every position that may hold an address of the set. Other addresses with the same beginning are included. */
  candidatesIn(family: Family, bytes: Uint8Array): readonly CanonicalAddress[] {
    const bits = this.#begins.get(family);
    const form = forms[family];
    if (bits === undefined || form === undefined) return NONE;
    let found: CanonicalAddress[] | undefined;
    for (let at = nextBeginning(bits, bytes, 0); at >= 0; at = nextBeginning(bits, bytes, at + 1)) {
      if (at + form.bytes > bytes.length || isNumbered(bytes, at, form.bytes)) continue;
      const address = canonicalAddress(family, form.text(Buffer.from(bytes.buffer, bytes.byteOffset + at, form.bytes)));
      if (address === undefined) continue;
      found ??= [];
      found.push(address);
    }
    return found ?? NONE;
  }
}

const NONE: readonly CanonicalAddress[] = [];

/**
 * The first position from `from` where the next three bytes begin an address of the set; -1 when there is none. Nearly
 * every event ends here, so the loop contains no calls.
 */
function nextBeginning(bits: Uint8Array, bytes: Uint8Array, from: number): number {
  const last = bytes.length - 3;
  if (from > last) return -1;
  let number = ((bytes[from] as number) << 8) | (bytes[from + 1] as number);
  for (let at = from; at <= last; at++) {
    number = ((number << 8) | (bytes[at + 2] as number)) & MASK;
    if (((bits[number >> 3] as number) & (1 << (number & 7))) !== 0) return at;
  }
  return -1;
}

/** Bytes of ff alone count as numbered too: an unlimited amount is 32 of these bytes. */
function isNumbered(bytes: Uint8Array, from: number, length: number): boolean {
  let [zeros, ones] = [0, 0];
  for (let at = from; at < from + length && zeros <= MOST_ZEROS; at++) {
    if (bytes[at] === 0) zeros++;
    if (bytes[at] === 0xff) ones++;
  }
  return zeros > MOST_ZEROS || ones === length;
}

/**
 * The last three bytes of the first `leading`, for text that encodes `bytes` bytes. There are two candidates when
 * rounding may decide.
 */
function base58Leading(text: string, bytes: number, leading: number): readonly number[] {
  let digits = 0;
  for (let at = 0; at < EXACT_DIGITS; at++) digits = digits * 58 + ALPHABET.indexOf(text.charAt(at));
  const number = (digits * 58 ** (text.length - EXACT_DIGITS)) / 2 ** (8 * (bytes - leading));
  const low = Math.max(0, Math.floor(number - TOLERANCE)) % 2 ** LEADING_BITS;
  const high = Math.floor(number + TOLERANCE) % 2 ** LEADING_BITS;
  return low === high ? [low] : [low, high];
}
