import { fail, type Result } from "../../../kernel/result.ts";
import { base58Bytes } from "../key.ts";
import { MAX_TRANSACTION_BYTES, type Message, readTransaction } from "./message.ts";

/** The longest text that is decoded, in characters. Base58 decoding is quadratic. */
const MAX_TEXT = { base64: 65_536, base58: 1_683 } as const;
const ALPHABET = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base58: /^[1-9A-HJ-NP-Za-km-z]+$/,
} as const;

/** Whether `text` is base64 with its padding. */
export function isBase64(text: string): boolean {
  return ALPHABET.base64.test(text);
}

/** The message of a serialized transaction, or of a message alone, from its text. */
export function readTransactionText(text: string, encoding: "base64" | "base58"): Result<Message> {
  if (text.length === 0) return fail("must not be empty");
  if (text.length > MAX_TEXT[encoding]) return fail(`longer than ${MAX_TEXT[encoding]} characters of ${encoding}`);
  if (!ALPHABET[encoding].test(text)) return fail(`not valid ${encoding}`);
  const bytes = encoding === "base64" ? Buffer.from(text, "base64") : (base58Bytes(text) ?? new Uint8Array());
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    return fail(`holds ${bytes.length} bytes, of which a transaction may have ${MAX_TRANSACTION_BYTES}`);
  }
  return readTransaction(bytes);
}
