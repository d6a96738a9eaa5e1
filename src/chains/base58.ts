import { createBase58check } from "@scure/base";
import { fail, ok, type Result } from "../kernel/result.ts";
import { sha256Bytes } from "../kernel/sha256.ts";

/** Base58 with the last four bytes of a double SHA-256 behind the payload, as Bitcoin and TRON write addresses. */
export const base58check = createBase58check(sha256Bytes);

const foreignCharacter = /[^1-9A-HJ-NP-Za-km-z]/;

/** What keeps `text` from being base58, or undefined when every character is in the alphabet. */
export function base58Fault(text: string): string | undefined {
  const at = text.search(foreignCharacter);
  return at < 0 ? undefined : `character ${at + 1} is not base58 (which has no 0, O, I or l)`;
}

/** The payload of base58check text, version byte included. */
export function decodeBase58check(text: string): Result<Uint8Array> {
  const fault = base58Fault(text);
  if (fault !== undefined) return fail(fault);
  try {
    return ok(base58check.decode(text));
  } catch {
    // The alphabet is right, so what the decoder threw is about the checksum.
    return fail("base58 checksum does not match: a character is wrong or missing");
  }
}
