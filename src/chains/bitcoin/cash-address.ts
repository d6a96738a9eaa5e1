import { fail, ok, type Result } from "../../kernel/result.ts";
import { base58check } from "../base58.ts";

const PREFIX = "bitcoincash";
const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LENGTH = 8;
/** Maps the version byte of a 20-byte hash to Bitcoin's version byte for the same kind of hash. */
const bitcoinVersion: ReadonlyMap<number, number> = new Map([
  [0, 0x00],
  [8, 0x05],
]);
const HASH_BYTES = 20;

const form = /^(?:bitcoincash:)?[qp][qpzry9x8gf2tvdw0s3jn54khce6mua7l]{41}$/;

/** Whether the text has the form of a Bitcoin Cash address: 42 characters from q or p, with or without a prefix. */
export function isCashAddressForm(text: string): boolean {
  return form.test(text) || form.test(text.toLowerCase());
}

/**
 * The Bitcoin address with the same hash as a Bitcoin Cash address. One key owns both addresses. Source: the CashAddr
 * specification of Bitcoin Cash (version byte, 40-bit BCH code).
 */
export function bitcoinOfCashAddress(text: string): Result<string> {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return fail("mixes upper and lower case");
  if (!form.test(lower)) return fail("must have 42 characters from q or p");
  const words = [...lower.slice(lower.indexOf(":") + 1)].map((character) => ALPHABET.indexOf(character));
  const prefix = [...PREFIX].map((character) => character.charCodeAt(0) & 31);
  if (checksum([...prefix, 0, ...words]) !== 0n) {
    return fail("CashAddr checksum does not match: a character is wrong or missing");
  }
  const [version = -1, ...hash] = bytesOf(words.slice(0, -CHECKSUM_LENGTH));
  const ours = bitcoinVersion.get(version);
  if (ours === undefined || hash.length !== HASH_BYTES) return fail("is of another kind than a key or a script");
  return ok(base58check.encode(Uint8Array.from([ours, ...hash])));
}

const generators = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n] as const;

/** The checksum is 0 when the last eight words match the words before them. */
function checksum(words: readonly number[]): bigint {
  let sum = 1n;
  for (const word of words) {
    const top = sum >> 35n;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of generators.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator;
  }
  return sum ^ 1n;
}

/** Converts words of five bits to whole bytes. Leftover bits are padding. */
function bytesOf(words: readonly number[]): readonly number[] {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const word of words) {
    held = ((held << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return bytes;
}
