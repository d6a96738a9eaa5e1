import protobuf from "protobufjs";
import { type BoundedJson, UndecodableError } from "../json-text.ts";
import { type GoogleWriter, googleTypes } from "./google-types.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a message as JSON. Numbers of 64 bits keep their text, and bytes are hexadecimal with 0x. A field that is not
 * in the record is not in the JSON either, whatever its default is.
 */
export function writeMessage(type: protobuf.Type, message: object, out: BoundedJson): void {
  const known: GoogleWriter | undefined = googleTypes.get(type.fullName);
  if (known === undefined) writeFields(type, message, out);
  else known(message as Fields, out);
}

function writeFields(type: protobuf.Type, message: object, out: BoundedJson): void {
  out.add("{");
  let isFirst = true;
  for (const field of type.fieldsArray) {
    const value = Object.hasOwn(message, field.name) ? (message as Fields)[field.name] : undefined;
    if (value === undefined || isEmpty(field, value)) continue;
    out.key(field.name, isFirst);
    isFirst = false;
    if (field instanceof protobuf.MapField) writeMap(field, value as Fields, out);
    else if (field.repeated) writeList(field, value as readonly unknown[], out);
    else writeValue(field, value, out);
  }
  out.add("}");
}

/** The library adds an empty list and an empty map for a field that is not in the record. */
function isEmpty(field: protobuf.Field, value: unknown): boolean {
  if (field instanceof protobuf.MapField) return Object.keys(value as object).length === 0;
  return field.repeated && (value as readonly unknown[]).length === 0;
}

function writeList(field: protobuf.Field, values: readonly unknown[], out: BoundedJson): void {
  out.add("[");
  for (const [nth, each] of values.entries()) {
    if (nth > 0) out.add(",");
    writeValue(field, each, out);
  }
  out.add("]");
}

function writeMap(field: protobuf.MapField, entries: Fields, out: BoundedJson): void {
  const isLong = /64/.test(field.keyType);
  out.add("{");
  for (const [nth, key] of Object.keys(entries).entries()) {
    // The library keeps a key of 64 bits as eight characters.
    const name = isLong ? String(protobuf.util.longFromHash(key, /^u|^fixed/.test(field.keyType))) : key;
    out.key(name, nth === 0);
    writeValue(field, entries[key], out);
  }
  out.add("}");
}

function writeValue({ resolvedType, type }: protobuf.FieldBase, value: unknown, out: BoundedJson): void {
  if (resolvedType instanceof protobuf.Type) writeMessage(resolvedType, value as object, out);
  else if (resolvedType instanceof protobuf.Enum) writeEnum(resolvedType, value as number, out);
  else if (value instanceof Uint8Array) out.hex(value);
  else if (typeof value === "string") writeText(value, out);
  else if (type === "float" || type === "double") out.number(Number(value));
  // A number of 64 bits is an object that holds two halves.
  else out.add(String(value));
}

/** A number without a name comes from a later version of the schema. */
function writeEnum({ valuesById }: protobuf.Enum, value: number, out: BoundedJson): void {
  const name: unknown = valuesById[value];
  if (typeof name === "string") out.string(name);
  else out.add(String(value));
}

/** The library reads bytes that are no UTF-8 as U+FFFD, which the producer did not send. */
function writeText(text: string, out: BoundedJson): void {
  if (text.includes("\ufffd")) throw new UndecodableError("holds U+FFFD, as bytes that are no valid UTF-8 are read");
  out.string(text);
}
