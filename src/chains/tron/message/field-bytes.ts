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
 * Converts JSON to bytes as tronweb does. Hex, with or without 0x, is read in pairs of digits. An odd last digit is a
 * byte of its own. All other text is UTF-8. Text that reads as a number but is no hex is refused, because tronweb
 * writes it like no other library.
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

/** Reads text of the user in the spelling that the transaction uses. */
export function readName(json: unknown, spelling: NameSpelling): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  const read = spelling === "hex" ? readBytes(json) : undefined;
  return read?.ok === true ? read : ok(bytesOf(json));
}

/** A bitmap of 32 bytes: 64 digits of hex, or Base64. */
export function readBitmap(json: unknown): Result<Bytes> {
  if (typeof json !== "string") return fail(NOT_TEXT);
  // The length decides, because Base64 of 32 bytes may consist of hex digits only.
  if (json.length === 2 * BITMAP_BYTES && evenHex.test(json)) return ok({ hex: json.toLowerCase() });
  try {
    return ok({ hex: hex.encode(base64nopad.decode(json.replace(/=+$/, ""))) });
  } catch {
    // The decoder throws for characters outside Base64 and for leftover bits.
    return fail("must be hex or Base64");
  }
}
