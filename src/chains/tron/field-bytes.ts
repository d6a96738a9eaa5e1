import { base64nopad, hex } from "@scure/base";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { Bytes } from "./message-value.ts";
import type { NameSpelling } from "./read-message.ts";

const NOT_TEXT = "must be a string";
const evenHex = /^([0-9a-fA-F]{2})*$/;
const BITMAP_BYTES = 32;
const utf8 = new TextEncoder();

export function readText(json: unknown): Result<string> {
  return typeof json === "string" ? ok(json) : fail(NOT_TEXT);
}

/** Hex, with or without 0x; whatever is no hex is taken for text, as tronweb takes it. */
export function readBytes(json: unknown): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  const digits = json.replace(/^0x/i, "");
  return ok({ hex: evenHex.test(digits) ? digits.toLowerCase() : hex.encode(utf8.encode(json)) });
}

/** Text of the user's, in the spelling that the transaction has all of it in. */
export function readName(json: unknown, spelling: NameSpelling): Result<Bytes> {
  if (spelling === "hex") return readBytes(json);
  return typeof json === "string" ? ok({ hex: hex.encode(utf8.encode(json)) }) : fail(NOT_TEXT);
}

/** A bitmap of 32 bytes: 64 digits of hex, or Base64. */
export function readBitmap(json: unknown): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  // By its length: Base64 of 32 bytes may happen to hold nothing but digits of hex.
  if (json.length === 2 * BITMAP_BYTES && evenHex.test(json)) return ok({ hex: json.toLowerCase() });
  try {
    return ok({ hex: hex.encode(base64nopad.decode(json.replace(/=+$/, ""))) });
  } catch {
    // The decoder throws for characters that are no Base64, and for bits left over.
    return fail("must be hex or Base64");
  }
}
