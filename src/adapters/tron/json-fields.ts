/** Whether JSON is `{}`, the answer of nodes for a missing thing. */
export function isEmpty(json: unknown): boolean {
  return typeof json === "object" && json !== null && !Array.isArray(json) && Object.keys(json).length === 0;
}

/** The member of an object; undefined for any other value. */
export function field(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
}

/** Hex in lower case; undefined for any other value. A missing field is empty, as in protocol buffers. */
export function hexField(json: unknown, name: string): string | undefined {
  const value = field(json, name) ?? "";
  return typeof value === "string" && /^([0-9a-fA-F]{2})*$/.test(value) ? value.toLowerCase() : undefined;
}

/** A list; undefined for any other value. A missing field is an empty list. */
export function listField(json: unknown, name: string): readonly unknown[] | undefined {
  const value = field(json, name) ?? [];
  return Array.isArray(value) ? value : undefined;
}
