/**
 * JSON that keeps the text of numbers. `JSON.parse` rounds 9007199254740993 to ...992. A transaction that is hashed,
 * signed or compared must keep the exact text. Numbers that survive the round trip stay plain numbers. Other numbers
 * become raw JSON values of the engine (`JSON.rawJSON`), which `JSON.stringify` writes back unchanged.
 */

import { withoutEscapedLetters } from "./text.ts";

/** A number with a text that a JavaScript number would change. `rawJSON` is that text. */
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

// The compiler's library does not declare these three members yet. Node 22 and later have them.
const exact = JSON as unknown as ExactJson;

/** Deepest nesting that `parseExact` accepts; the reviver recurses, so the depth must be bounded before it runs. */
export const MAX_JSON_DEPTH = 64;

/** True for a number kept as text by `parseExact`. */
export function isRawNumber(value: unknown): value is RawNumber {
  return exact.isRawJSON(value);
}

/** An integer for JSON, also beyond 2^53. */
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
 * Parses JSON with whole numbers beyond 2^53 as bigints, as JSON-RPC of chains needs them.
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

/** Writes JSON with bigints as whole numbers. */
export function stringifyWithBigInts(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (typeof member === "bigint" ? exact.rawJSON(String(member)) : member));
}

/** Facts about a JSON text that are found without parsing. For text that is not JSON only the depth is meaningful. */
export interface JsonShape {
  /** Deepest nesting of objects and arrays. */
  readonly depth: number;
  /** Whether the text may contain a number that JavaScript would change. */
  readonly mayChange: boolean;
  /** Members of all objects. A repeated key counts each time. */
  readonly members: number;
  /** Values between brackets and commas, without keys. Never less than the real number of values. */
  readonly values: number;
}

/** Digits of the shortest whole number that a JavaScript number may change. */
const LONG_DIGITS = 16;

/** One pass over the text finds all facts. */
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
      // A number of 16 digits or more, or minus zero.
      if (++digits >= LONG_DIGITS || (c === 0x30 && text.charCodeAt(i - 1) === 0x2d)) mayChange = true;
      continue;
    }
    // A fraction or an exponent.
    if (digits > 0 && (c === 0x2e || c === 0x65 || c === 0x45)) mayChange = true;
    digits = 0;
    // A large answer consists mostly of strings, which are skipped at once.
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
 * The number of members of all objects in a parsed value. It is lower than the number in the text (`shapeOf`) when an
 * object repeats a key. It takes an eighth of the time of `repeatedKey`, which names the repeated key. The function
 * recurses, so the depth of the value must be bounded.
 */
export function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const each of value) members += membersOf(each);
    return members;
  }
  // No list of values is made: a large answer has thousands of objects, and most of their contents are text.
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
 * The first key that an object in `text` repeats; `JSON.parse` would keep only its last value. The search goes down to
 * `deepest` levels (1 is the outermost) and skips the member `besides`. The result means nothing for text that is not
 * JSON.
 */
export function repeatedKey(text: string, deepest = 1, besides?: string): string | undefined {
  const seenAt: Set<string>[] = [];
  let depth = 0;
  let string = "";
  /** The outermost key of the current value. */
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

/** The end of the string that begins at `from`: the first quote behind an even number of backslashes. */
function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * One canonical text per value: object keys sorted by UTF-16 code units, no white space, `undefined` members left out,
 * text of numbers kept. Follows RFC 8785 except for numbers, which are never rewritten.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  // Every event passes here, so no intermediate lists are made.
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, key);
    if (member !== undefined) members += `${members && ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
