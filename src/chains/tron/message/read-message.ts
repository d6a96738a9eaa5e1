import { fail, ok, type Result } from "../../../kernel/result.ts";
import { parseAddress } from "../../address.ts";
import { readBitmap, readBytes, readName, readText } from "./field-bytes.ts";
import { readInteger } from "./field-integer.ts";
import type { FieldKind, MessageField, MessageType, NameSpelling } from "./message.ts";
import type { FieldValue, MessageValue } from "./message-value.ts";

/** A message as it was read, and the members of its JSON that the protocol does not know. */
export interface ReadMessage {
  readonly value: MessageValue;
  readonly strays: readonly string[];
}

interface Reading {
  readonly names: NameSpelling;
  readonly strays: string[];
}

/**
 * Reads the JSON form of a message as TRON's libraries and nodes write it. Unknown members are listed and otherwise
 * ignored, as every signer ignores them. Missing and null members are absent.
 *
 * @returns the reason and the place when the JSON is no such message: `threshold: must be an integer of 64 bits`.
 */
export function readMessage(message: MessageType, json: unknown, names: NameSpelling): Result<ReadMessage> {
  const strays: string[] = [];
  const value = readObject(message, json, "", { names, strays });
  return value.ok ? ok({ value: value.value, strays }) : value;
}

function readObject(message: MessageType, json: unknown, path: string, reading: Reading): Result<MessageValue> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return fail(at(path, "must be an object"));
  const given = new Map<string, unknown>(Object.entries(json));
  const fields = new Map<string, FieldValue | readonly FieldValue[]>();
  for (const field of message) {
    const name = given.has(field.name) ? field.name : camelCase(field.name);
    const member = given.get(name);
    given.delete(name);
    if (member === undefined || member === null) continue;
    const read = readField(field, member, path === "" ? name : `${path}.${name}`, reading);
    if (!read.ok) return read;
    fields.set(field.name, read.value);
  }
  for (const stray of given.keys()) reading.strays.push(path === "" ? stray : `${path}.${stray}`);
  return ok({ fields });
}

function readField(
  { kind, repeated }: MessageField,
  json: unknown,
  path: string,
  reading: Reading,
): Result<FieldValue | readonly FieldValue[]> {
  if (!repeated) return readValue(kind, json, path, reading);
  // tronweb writes a single frozen supply of a token, and a single active permission, without a list.
  const items = Array.isArray(json) ? json : [json];
  const values: FieldValue[] = [];
  for (const [i, item] of items.entries()) {
    const read = readValue(kind, item, Array.isArray(json) ? `${path}[${i}]` : path, reading);
    if (!read.ok) return read;
    values.push(read.value);
  }
  return ok(values);
}

function readValue(kind: FieldKind, json: unknown, path: string, reading: Reading): Result<FieldValue> {
  if (typeof kind === "object") {
    return "message" in kind ? readObject(kind.message, json, path, reading) : readEnum(kind.enum, json, path, reading);
  }
  const read = readScalar(kind, json, reading.names);
  return read.ok ? read : fail(at(path, read.detail));
}

function readScalar(kind: Exclude<FieldKind, object>, json: unknown, names: NameSpelling): Result<FieldValue> {
  switch (kind) {
    case "int32":
      return readInteger(json, 32);
    case "int64":
      return readInteger(json, 64);
    case "bool":
      return typeof json === "boolean" ? ok(json) : fail("must be true or false");
    case "text":
      return readText(json);
    case "bytes":
      return readBytes(json);
    case "name":
      return readName(json, names);
    case "bitmap":
      return readBitmap(json);
    case "address": {
      const address = typeof json === "string" ? parseAddress("tron", json) : fail("must be a string");
      return address.ok ? ok({ address: address.value }) : address;
    }
  }
}

/** Reads an enum by number, or by name in any case. Unknown names count as absent, as in tronweb. */
function readEnum(
  numbers: Readonly<Record<string, number>>,
  json: unknown,
  path: string,
  { strays }: Reading,
): Result<FieldValue> {
  if (typeof json !== "string" || /^\d+$/.test(json)) {
    const number = readInteger(json, 32);
    return number.ok ? number : fail(at(path, "must be a number or a name"));
  }
  const known = Object.entries(numbers).find(([name]) => name.toLowerCase() === json.toLowerCase());
  if (known === undefined) strays.push(path);
  return ok(BigInt(known?.[1] ?? 0));
}

function at(path: string, detail: string): string {
  return path === "" ? detail : `${path}: ${detail}`;
}

/**
 * owner_address -> ownerAddress. The API's own function does the same for its fields; the layers keep the two apart.
 */
function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
