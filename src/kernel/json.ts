/**
 * JSON that keeps the text of numbers. `JSON.parse` rounds 9007199254740993 to ...992; a transaction that is hashed,
 * signed or compared must keep it. Numbers that survive the round trip stay plain numbers; the others become the
 * engine's own raw JSON values (`JSON.rawJSON`), which `JSON.stringify` writes back as they were read.
 */

import { withoutEscapedLetters } from "./escaped-letters.ts";

/** A number whose text would change if it became a JavaScript number. `rawJSON` is that text. */
export interface RawNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
}

// The compiler's library does not know these three yet; Node 22 and later do.
const exact = JSON as unknown as ExactJson;

/** Deepest nesting that `parseExact` accepts; the reviver recurses, so the depth must be bounded before it runs. */
export const MAX_JSON_DEPTH = 64;

/** True for a number kept as text by `parseExact`. */
export function isRawNumber(value: unknown): value is RawNumber {
  return exact.isRawJSON(value);
}

/** An integer as JSON writes it, beyond 2^53 too. */
export function exactInteger(value: bigint): number | RawNumber {
  return Number.isSafeInteger(Number(value)) ? Number(value) : exact.rawJSON(String(value));
}

/**
 * Parses JSON and keeps the text of every number that a JavaScript number would change.
 * @throws {SyntaxError} for text that is not JSON or is nested deeper than `MAX_JSON_DEPTH`.
 */
export function parseExact(given: string): unknown {
  const { depth, mayChange } = shapeOf(given);
  if (depth > MAX_JSON_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  const text = withoutEscapedLetters(given);
  // The reviver is called for each value and takes eight times as long.
  if (!mayChange) return JSON.parse(text);
  return exact.parse(text, (_key, value, context) => {
    if (typeof value !== "number" || context.source === undefined) return value;
    return String(value) === context.source ? value : exact.rawJSON(context.source);
  });
}

/**
 * Parses JSON with whole numbers beyond 2^53 as bigints, as JSON-RPC of chains has them.
 * @throws {SyntaxError} for text that is not JSON or is nested deeper than `MAX_JSON_DEPTH`.
 */
export function parseWithBigInts(text: string): unknown {
  if (depthOf(text) > MAX_JSON_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "")
      ? BigInt(source ?? "")
      : value,
  );
}

/** Writes JSON with bigints as the whole numbers that they are. */
export function stringifyWithBigInts(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (typeof member === "bigint" ? exact.rawJSON(String(member)) : member));
}

/** What is told of a JSON text without parsing it. Of what is not JSON it tells nothing of use but the depth. */
export interface JsonShape {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Whether a number may stand there whose text JavaScript would change. */
  readonly mayChange: boolean;
  /** Members of all its objects; one whose key an object repeats counts each time. */
  readonly members: number;
  /** What stands between brackets and commas: at least as many as it has values, beside keys. */
  readonly values: number;
}

/** Digits of the shortest whole number that may not survive. */
const LONG_DIGITS = 16;

/** One walk for all of it. */
export function shapeOf(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let mayChange = false;
  let members = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x30 && c <= 0x39) {
      // Of 16 digits or more; or minus zero.
      if (++digits >= LONG_DIGITS || (c === 0x30 && text.charCodeAt(i - 1) === 0x2d)) mayChange = true;
      continue;
    }
    // A fraction or an exponent.
    if (digits > 0 && (c === 0x2e || c === 0x65 || c === 0x45)) mayChange = true;
    digits = 0;
    // Most of a large answer is strings, which are passed over at once.
    if (c === 0x22) i = closingQuote(text, i);
    else if (c === 0x7b || c === 0x5b) {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (c === 0x7d || c === 0x5d) depth--;
    else if (c === 0x3a) members++;
    else if (c === 0x2c) values++;
  }
  return { depth: deepest, mayChange, members, values };
}

/**
 * Members of all objects in a value from JSON: fewer than its text has (`shapeOf`) where an object repeats a key. Takes an
 * eighth of the time of `repeatedKey`, which says what key that is. For values of bounded depth: it recurses.
 */
export function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const each of value) members += membersOf(each);
    return members;
  }
  // Without a list of its values: a large answer has thousands of objects, and most of what is in them is text.
  for (const name in value) {
    const own = (value as Readonly<Record<string, unknown>>)[name];
    members += typeof own === "object" ? 1 + membersOf(own) : 1;
  }
  return members;
}

/** Deepest nesting of objects and arrays in `text`, without parsing it. */
export function depthOf(text: string): number {
  return shapeOf(text).depth;
}

/**
 * The first key that an object in `text` repeats, of which `JSON.parse` would keep the last value only. Looked for down
 * to `deepest` levels; 1 is the outermost; not inside of its member `besides`. Of what is not JSON it tells nothing of use.
 */
export function repeatedKey(text: string, deepest = 1, besides?: string): string | undefined {
  const seenAt: Set<string>[] = [];
  let depth = 0;
  let string = "";
  /** The outermost key whose value is being read. */
  let member: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x22) {
      const end = closingQuote(text, i);
      if (depth <= deepest) string = text.slice(i, end + 1);
      i = end;
    } else if (c === 0x7b || c === 0x5b) {
      depth++;
      if (depth <= deepest) seenAt[depth] = new Set();
    } else if (c === 0x7d || c === 0x5d) depth--;
    else if (c === 0x3a && depth <= deepest) {
      const seen = seenAt[depth] ?? new Set();
      const key = string.includes("\\") ? (JSON.parse(string) as string) : string.slice(1, -1);
      if (depth === 1) member = key;
      else if (member !== undefined && member === besides) continue;
      if (seen.has(key)) return key;
      seen.add(key);
    }
  }
  return undefined;
}

/** Where the string that begins at `from` ends: at the first quote behind an even number of backslashes. */
function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * One text for one value: object keys sorted by UTF-16 code units, no white space, `undefined` members left out,
 * number text kept. Follows RFC 8785 except for numbers, whose text is never rewritten.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  // Every event passes here: no lists of pairs in between.
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    if (member !== undefined) members += `${members && ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
