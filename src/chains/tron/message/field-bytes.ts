import { base64nopad, hex } from "@scure/base";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import type { NameSpelling } from "./message.ts";
import type { Bytes } from "./message-value.ts";

const NOT_TEXT = "must be a string";
const hexDigits = /^(0x)?([0-9a-fA-F]*)$/;
const evenHex = /^([0-9a-fA-F]{2})*$/;
const BITMAP_BYTES = 32;
const utf8 = new TextEncoder();

export function readText(json: unknown): Result<string> {
  return typeof json === "string" ? ok(json) : fail(NOT_TEXT);
}

/**
 * As tronweb makes bytes of it: hex, with or without 0x, digit by digit in twos, so that the last one of an odd number is a
 * byte of its own; whatever is no hex is text. What reads as a number and is no hex it writes as no other library does, so
 * nobody can tell which bytes are meant.
 */
export function readBytes(json: unknown): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  const [, , digits] = hexDigits.exec(json) ?? [];
  if (digits === undefined) return isNumber(json) ? fail("must be hex, or text that is no number") : ok(bytesOf(json));
  const whole = digits.length % 2 === 0 ? digits : `${digits.slice(0, -1)}0${digits.slice(-1)}`;
  return ok({ hex: whole.toLowerCase() });
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function bytesOf(text: string): Bytes {
  return { hex: hex.encode(utf8.encode(text)) };
}

/** Text of the user's, in the spelling that the transaction has all of it in. */
export function readName(json: unknown, spelling: NameSpelling): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  const read = spelling === "hex" ? readBytes(json) : undefined;
  return read?.ok === true ? read : ok(bytesOf(json));
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
