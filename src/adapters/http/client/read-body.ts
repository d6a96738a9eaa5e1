import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { membersOf, shapeOf } from "../../../kernel/json.ts";
import { withoutEscapedLetters } from "../../../kernel/text.ts";
import { UnreadableError } from "../../../worker/answers/service-errors.ts";

/** Largest answer read, bytes. A full batch answers with about 200 kB. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const MAX_ANSWER_DEPTH = 32;
/**
 * Most values of an answer that is read. Each value takes some 20 to 100 bytes when it is parsed, however short it is
 * in the answer. A full batch has about 10,000. Chosen: a tenth of a second, 20 MiB.
 */
export const MAX_ANSWER_VALUES = 200_000;

export interface ReadOptions {
  /** Throws for text that is not JSON. */
  readonly parse?: (text: string) => unknown;
  readonly maxBytes?: number;
  readonly maxValues?: number;
  /** By default application/json. */
  readonly mediaType?: RegExp;
}

/** The media types of an answer, and its largest size in bytes. */
export interface TextLimits {
  readonly mediaType: RegExp;
  readonly maxBytes: number;
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Reads an answer as text, with limits. Requests ask for unpacked answers (`identity`), so a packed answer is refused.
 *
 * @throws {UnreadableError} `isTooLarge` for an answer beyond `maxBytes`.
 */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  { mediaType, maxBytes }: TextLimits,
): Promise<string> {
  if (!mediaType.test(headers["content-type"] ?? "")) {
    const what = mediaType === JSON_TYPE ? "application/json" : "of a type that is read";
    throw new UnreadableError(`the answer is not ${what}`);
  }
  if (!/^(?:identity)?$/i.test(String(headers["content-encoding"] ?? ""))) {
    throw new UnreadableError("the answer is packed (content-encoding), though it was asked for as it is");
  }
  if (Number(headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  // Bytes that are not valid UTF-8 would be read as U+FFFD, which the server did not send.
  if (!isUtf8(bytes)) throw new UnreadableError("the answer is not valid UTF-8");
  return bytes.toString("utf8");
}

/**
 * Reads an answer as JSON, with limits on size, depth and values. JSON with two meanings is refused.
 *
 * @throws {UnreadableError}
 */
export async function readJson(
  body: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  {
    parse = JSON.parse,
    maxBytes = MAX_ANSWER_BYTES,
    maxValues = MAX_ANSWER_VALUES,
    mediaType = JSON_TYPE,
  }: ReadOptions = {},
): Promise<unknown> {
  const text = await readText(body, headers, { mediaType, maxBytes });
  const { depth, members, values } = shapeOf(text);
  if (depth > MAX_ANSWER_DEPTH) throw new UnreadableError("the answer is nested too deeply");
  if (values > maxValues) throw new UnreadableError(`the answer has more than ${maxValues} values`);
  const value = parsed(text, parse);
  // The parser would keep the last of two values of one key: of '1' and '0', perhaps the harmless one.
  if (membersOf(value) !== members) throw new UnreadableError("an object of the answer gives a key twice");
  return value;
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(withoutEscapedLetters(text));
  } catch {
    // The engine's message would quote the answer.
    throw new UnreadableError("the answer is not valid JSON");
  }
}

function tooLarge(maxBytes: number): UnreadableError {
  return new UnreadableError(`the answer is larger than ${maxBytes} bytes`, { isTooLarge: true });
}
