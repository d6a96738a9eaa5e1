import { createBase58check } from "@scure/base";
import { sha256Bytes } from "../kernel/hash.ts";
import { fail, ok, type Result } from "../kernel/result.ts";

/** Base58 of a payload and the last four bytes of a double SHA-256. Bitcoin and TRON write addresses in this form. */
export const base58check = createBase58check(sha256Bytes);

const foreignCharacter = /[^1-9A-HJ-NP-Za-km-z]/;

/** The reason why `text` is not base58, or undefined when every character is in the alphabet. */
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
    // The alphabet is valid here, so the decoder's error concerns the checksum.
    return fail("base58 checksum does not match: a character is wrong or missing");
  }
}
