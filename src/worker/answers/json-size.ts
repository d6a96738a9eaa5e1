/** How large a value is that came as JSON. */
export interface JsonSize {
  /** Its length as JSON, what is escaped there counted as the one character that it takes here. */
  characters: number;
  /** Lists, objects, and what stands in them. */
  pieces: number;
}

const QUOTES = 2;

/** It is as deep as JSON may be that is read. What has no value, as JSON cannot say it, counts for nothing. */
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
    // A comma behind each item but the last, and two brackets.
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
      // Nearly all are: that saves a call for each.
      characters += own.length + QUOTES;
      size.pieces++;
    } else count(own, size);
  }
  size.characters += Math.max(2, characters);
}
