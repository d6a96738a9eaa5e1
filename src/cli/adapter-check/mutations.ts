type Json = unknown;

/** An address that is in no case. */
export const STRANGER = "0x1111111111111111111111111111111111111111";

/** The value without the field at a dotted path. Undefined where the path does not exist. */
export function without(body: Json, dotted: string): Json {
  return changedAt(body, dotted.split("."), () => undefined);
}

/** The value with null at a dotted path. Undefined where the path does not exist. */
export function nulled(body: Json, dotted: string): Json {
  return changedAt(body, dotted.split("."), () => ({ value: null }));
}

/** The value with another type at a dotted path. Undefined where the path does not exist. */
export function retyped(body: Json, dotted: string): Json {
  return changedAt(body, dotted.split("."), (value) => ({ value: ofAnotherType(value) }));
}

/** The value with another type at every leaf. */
export function allRetyped(body: Json): Json {
  if (Array.isArray(body)) return body.map(allRetyped);
  if (!isObject(body)) return ofAnotherType(body);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, allRetyped(value)]));
}

/**
 * The text with another address in place of `address`, in any letter case. Undefined where the text lacks the address.
 */
export function aboutStranger(text: string, address: string): string | undefined {
  const named = new RegExp(address.replaceAll(/[^\w]/g, "\\$&"), "gi");
  return named.test(text) ? text.replaceAll(named, STRANGER) : undefined;
}

/**
 * The value without each entry that names the address and none of `others`. Entries are in lists, and in objects by
 * address. Undefined where no entry matches.
 */
export function withoutEntry(body: Json, address: string, others: readonly string[]): Json {
  return changedEntries(body, address, others, () => []);
}

/** The value with an unreadable copy before or after each list entry that names the address and none of `others`. */
export function withTwin(body: Json, address: string, others: readonly string[], place: "before" | "after"): Json {
  return changedEntries(body, address, others, (entry) => {
    const twin = allRetypedBut(entry, address);
    return place === "before" ? [twin, entry] : [entry, twin];
  });
}

function changedEntries(
  body: Json,
  address: string,
  others: readonly string[],
  change: (entry: Json) => readonly Json[],
): Json {
  let isChanged = false;
  const isOf = (entry: Json) => names(entry, address) && !others.some((other) => names(entry, other));
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) {
      return value.flatMap((entry) => {
        if (!isOf(entry)) return [walk(entry)];
        isChanged = true;
        return change(entry);
      });
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, entry]) => {
        if (name.toLowerCase() !== address.toLowerCase()) return [[name, walk(entry)]];
        isChanged = true;
        // A key occurs once in an object, so the entry is replaced.
        return change(entry).length === 0 ? [] : [[name, allRetyped(entry)]];
      }),
    );
  };
  const changed = walk(body);
  return isChanged ? changed : undefined;
}

function allRetypedBut(entry: Json, address: string): Json {
  if (typeof entry === "string" && entry.toLowerCase() === address.toLowerCase()) return entry;
  if (Array.isArray(entry)) return entry.map((each) => allRetypedBut(each, address));
  if (!isObject(entry)) return ofAnotherType(entry);
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, allRetypedBut(value, address)]));
}

function names(entry: Json, address: string): boolean {
  return (JSON.stringify(entry) ?? "").toLowerCase().includes(address.toLowerCase());
}

function changedAt(body: Json, path: readonly string[], change: (value: Json) => { value: Json } | undefined): Json {
  const [name = "", ...rest] = path;
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return undefined;
  const copy: Record<string, Json> | Json[] = Array.isArray(body) ? [...body] : { ...body };
  const value = Reflect.get(copy, name) as Json;
  if (rest.length === 0) {
    const changed = change(value);
    if (changed === undefined) Reflect.deleteProperty(copy, name);
    else Reflect.set(copy, name, changed.value);
    return copy;
  }
  const changed = changedAt(value, rest, change);
  if (changed === undefined) return undefined;
  Reflect.set(copy, name, changed);
  return copy;
}

function ofAnotherType(value: Json): Json {
  if (typeof value === "string") return 7;
  if (typeof value === "number") return "unreadable";
  if (typeof value === "boolean") return value ? "no" : "yes";
  if (value === null) return [];
  return Array.isArray(value) ? { unreadable: true } : "unreadable";
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
