/** Size of a value that was parsed from JSON. */
export interface JsonSize {
  /** Length as JSON, characters. An escaped character counts as one character. */
  characters: number;
  /** Number of arrays and objects, and of the values in them. */
  pieces: number;
}

const QUOTES = 2;

/** Recursion is safe, because the depth of parsed JSON is limited. Undefined values count as nothing, as in JSON. */
export function jsonSize(value: unknown): JsonSize {
  const size = { characters: 0, pieces: 0 };
  count(value, size);
  return size;
}

function count(value: unknown, size: JsonSize): void {
  size.pieces++;
  if (typeof value === "string") size.characters += value.length + QUOTES;
  else if (typeof value !== "object" || value === null) size.characters += String(value).length;
  else if (Array.isArray(value)) {
    // A comma after each item but the last, and two brackets.
    size.characters += Math.max(2, 1 + value.length);
    for (const item of value) count(item, size);
  } else countFields(value, size);
}

function countFields(value: object, size: JsonSize): void {
  let characters = 1;
  for (const name in value) {
    const own: unknown = Reflect.get(value, name);
    if (own === undefined) continue;
    characters += name.length + QUOTES + 2;
    if (typeof own === "string") {
      // Most fields are strings, and this saves a call for each.
      characters += own.length + QUOTES;
      size.pieces++;
    } else count(own, size);
  }
  size.characters += Math.max(2, characters);
}
