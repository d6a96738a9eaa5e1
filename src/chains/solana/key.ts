import { base58 } from "@scure/base";

/** Bytes of a public key, of a blockhash, and of an account's name in a message. */
export const KEY_BYTES = 32;

/** Most texts that are remembered, about 1 MB. */
const MAX_REMEMBERED = 4_096;
/** Texts by their bytes: programs, mints and busy accounts come again and again, and base58 takes longer than looking here. */
const remembered = new Map<string, string>();

/** The text of 32 bytes. */
export function keyText(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const known = remembered.get(raw);
  if (known !== undefined) return known;
  const text = base58.encode(bytes);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(raw, text);
  return text;
}

/** The 32 bytes of an address that `parseAddress` has taken. */
export function keyBytes(address: string): Uint8Array {
  return base58.decode(address);
}

/** Bytes of base58 text of any length, undefined for text that is none. Quadratic: bound the text first. */
export function base58Bytes(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    // The decoder throws for a character that is not in the alphabet, and for nothing else.
    return undefined;
  }
}
