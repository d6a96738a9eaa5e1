import { base58 } from "@scure/base";

/** Bytes of a public key, of a blockhash, and of an address in a message. */
export const KEY_BYTES = 32;

/** The most texts in the cache, about 1 MB. */
const MAX_REMEMBERED = 4_096;
/** Cached texts by their bytes. Programs, mints and busy accounts recur, and base58 takes longer than a look-up. */
const remembered = new Map<string, string>();

/** The base58 text of 32 bytes. */
export function keyText(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const text = base58.encode(bytes);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(raw, text);
  return text;
}

/** The 32 bytes of an address that `parseAddress` accepted. */
export function keyBytes(address: string): Uint8Array {
  return base58.decode(address);
}

/**
 * The bytes of base58 text of any length. Undefined for invalid text. Decoding is quadratic, so the caller must bound
 * the length first.
 */
export function base58Bytes(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    // The decoder throws only for a character outside the alphabet.
    return undefined;
  }
}
