import { type BoundedJson, UndecodableError } from "../json-text.ts";

type Fields = Readonly<Record<string, unknown>>;
/** Writes a message of a known type in the form that JSON has for it. */
export type GoogleWriter = (message: Fields, out: BoundedJson) => void;

const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;

/** Google's types with a JSON form of their own. Source: Protocol Buffers, "ProtoJSON Format". */
export const googleTypes: ReadonlyMap<string, GoogleWriter> = new Map<string, GoogleWriter>([
  [".google.protobuf.Timestamp", writeTime],
  [".google.protobuf.Struct", writeStruct],
  [".google.protobuf.ListValue", writeList],
  [".google.protobuf.Value", writeAny],
  ...["Double", "Float"].map((name) => wrapper(name, (value, out) => out.number(Number(value ?? 0)))),
  ...["Int64", "UInt64", "Int32", "UInt32"].map((name) => wrapper(name, (value, out) => out.add(String(value ?? 0)))),
  wrapper("Bool", (value, out) => out.add(String(value === true))),
  wrapper("String", (value, out) => out.string(String(value ?? ""))),
  wrapper("Bytes", (value, out) => out.hex(value instanceof Uint8Array ? value : new Uint8Array())),
]);

/** A wrapper tells a default value from no value, so its default value is written. */
function wrapper(name: string, write: (value: unknown, out: BoundedJson) => void): [string, GoogleWriter] {
  return [`.google.protobuf.${name}Value`, (message, out) => write(own(message, "value"), out)];
}

function own(message: Fields, name: string): unknown {
  return Object.hasOwn(message, name) ? message[name] : undefined;
}

function writeTime(message: Fields, out: BoundedJson): void {
  const seconds = Number(own(message, "seconds") ?? 0);
  const nanos = Number(own(message, "nanos") ?? 0);
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || nanos < 0 || nanos > 999_999_999)
    throw new UndecodableError("holds a time that is out of range");
  const text = new Date(seconds * 1_000).toISOString().slice(0, 19);
  const fraction =
    nanos === 0
      ? ""
      : `.${String(nanos)
          .padStart(9, "0")
          .replace(/(?:000){1,2}$/, "")}`;
  out.string(`${text}${fraction}Z`);
}

function writeStruct(message: Fields, out: BoundedJson): void {
  const fields = (own(message, "fields") ?? {}) as Fields;
  out.add("{");
  for (const [nth, name] of Object.keys(fields).entries()) {
    out.key(name, nth === 0);
    writeAny(fields[name] as Fields, out);
  }
  out.add("}");
}

function writeList(message: Fields, out: BoundedJson): void {
  out.add("[");
  for (const [nth, each] of ((own(message, "values") ?? []) as readonly Fields[]).entries()) {
    if (nth > 0) out.add(",");
    writeAny(each, out);
  }
  out.add("]");
}

function writeAny(value: Fields, out: BoundedJson): void {
  const [text, number, flag] = ["stringValue", "numberValue", "boolValue"].map((name) => own(value, name));
  const [struct, list] = ["structValue", "listValue"].map((name) => own(value, name));
  if (typeof text === "string") out.string(text);
  else if (typeof number === "number") out.number(number);
  else if (typeof flag === "boolean") out.add(String(flag));
  else if (typeof struct === "object" && struct !== null) writeStruct(struct as Fields, out);
  else if (typeof list === "object" && list !== null) writeList(list as Fields, out);
  else out.add("null");
}
