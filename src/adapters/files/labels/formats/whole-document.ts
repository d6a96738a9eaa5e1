import type { ListSource } from "./list-source.ts";

/** Characters. Documents of JSON are read whole. The largest token lists have some ten million. */
const MAX_LENGTH = 64 * 1024 * 1024;

/** The root object of a list in JSON. @throws {Error} for text that is not JSON, no object, or too long. */
export async function wholeDocument(list: ListSource): Promise<Readonly<Record<string, unknown>>> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of list.pieces()) {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} characters; split it into several files`);
  }
  const value: unknown = JSON.parse(pieces.join(""));
  if (!isObject(value)) throw new Error("must be an object");
  return value;
}

/** Whether the value is an object of JSON, and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
