import { hex } from "@scure/base";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { base58check, decodeBase58check } from "../base58.ts";

/** First byte of every address of TRON's main network. The test networks Nile and Shasta use the same byte. */
const VERSION = 0x41;

const PAYLOAD_BYTES = 21;
const BASE58_LENGTH = 34;

const hexForm = /^41[0-9a-fA-F]{40}$/;
const hexText = /^(0[xX])?[0-9a-fA-F]+$/;

/**
 * Parses base58check text of 34 characters from T, or the hex form of TRON's protocol: 42 digits from 41, in any case.
 * Hex with 0x in front is refused, because 0x and 20 bytes are an EVM address.
 */
export function parseTronAddress(text: string): Result<string> {
  if (hexForm.test(text)) return ok(base58check.encode(hex.decode(text)));
  if (!text.startsWith("T")) return fail(hexText.test(text) ? hexFault(text) : "must start with T, or with 41 in hex");
  if (text.length !== BASE58_LENGTH) return fail(`must have ${BASE58_LENGTH} characters, has ${text.length}`);
  const payload = decodeBase58check(text);
  if (!payload.ok) return payload;
  if (payload.value.length !== PAYLOAD_BYTES || payload.value[0] !== VERSION) return fail("version byte is not 0x41");
  return ok(text);
}

/** The protocol's hex form of a canonical address: 42 lower-case digits from 41. */
export function tronHexOf(canonical: string): string {
  return hex.encode(base58check.decode(canonical));
}

function hexFault(text: string): string {
  if (/^0x/i.test(text)) return "must not start with 0x: the hex form is 42 digits from 41";
  if (!text.startsWith("41")) return "hex form must start with 41";
  return `hex form must have 42 digits, has ${text.length}`;
}
