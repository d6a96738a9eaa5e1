import { hex } from "@scure/base";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import { parseAddress } from "../../address.ts";
import type { FieldKind, MessageType } from "./message.ts";
import type { FieldValue, MessageValue } from "./message-value.ts";

/** A field on the wire. Source: protobuf.dev, "Encoding". */
interface WireField {
  readonly number: number;
  readonly content: bigint | Uint8Array;
}

/**
 * Decodes the bytes of a message. Fields without an entry in the table are skipped. A caller that has to detect skipped
 * fields compares the bytes with the output of `encodeMessage`. A duplicate of a single field is refused: readers keep
 * the last of two numbers but merge two messages, and no library writes duplicates.
 *
 * @returns the reason and the place when the bytes are no such message. Never throws, and takes time linear in the
 * length.
 */
export function decodeMessage(message: MessageType, bytes: Uint8Array): Result<MessageValue> {
  const wire = readWire(bytes);
  if (!wire.ok) return wire;
  const fields = new Map<string, FieldValue | readonly FieldValue[]>();
  for (const field of message) {
    const values: FieldValue[] = [];
    for (const { number, content } of wire.value) {
      if (number !== field.number) continue;
      const read = readContent(field.kind, content);
      if (!read.ok) return fail(`${field.name}: ${read.detail}`);
      values.push(read.value);
    }
    const [only] = values;
    if (!field.repeated && values.length > 1) return fail(`${field.name}: stands there twice`);
    if (only !== undefined) fields.set(field.name, field.repeated ? values : only);
  }
  return ok({ fields });
}

function readContent(kind: FieldKind, content: bigint | Uint8Array): Result<FieldValue> {
  if (typeof content === "bigint") {
    if (kind === "bool") return ok(content !== 0n);
    const isInteger = kind === "int32" || kind === "int64" || (typeof kind === "object" && "enum" in kind);
    return isInteger ? ok(content) : fail("must be bytes");
  }
  if (typeof kind === "object")
    return "message" in kind ? decodeMessage(kind.message, content) : fail("must be a number");
  switch (kind) {
    case "address":
      return readAddress(content);
    case "bytes":
    case "name":
    case "bitmap":
      return ok({ hex: hex.encode(content) });
    case "text":
      return readUtf8(content);
    default:
      return fail("must be a number");
  }
}

function readAddress(content: Uint8Array): Result<FieldValue> {
  const address = parseAddress("tron", hex.encode(content));
  return address.ok ? ok({ address: address.value }) : address;
}

function readUtf8(content: Uint8Array): Result<FieldValue> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  } catch {
    // The decoder throws for bytes that are not UTF-8. Every text of the protocol is UTF-8.
    return fail("must be UTF-8");
  }
}

function readWire(bytes: Uint8Array): Result<readonly WireField[]> {
  const fields: WireField[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    if (tag === undefined) return fail("a tag that does not end");
    const number = Number(tag.value >> 3n);
    const read = readField(bytes, tag.end, Number(tag.value & 7n));
    if (read === undefined) return fail(`field ${number} does not end`);
    fields.push({ number, content: read.content });
    at = read.end;
  }
  return ok(fields);
}

/**
 * Reads a field by its wire type: 0 a varint, 1 eight bytes, 2 a length and that number of bytes, 5 four bytes. No
 * message of TRON contains groups.
 */
function readField(bytes: Uint8Array, at: number, wireType: number) {
  if (wireType === 0) {
    const read = readVarint(bytes, at);
    return read && { content: BigInt.asIntN(64, read.value), end: read.end };
  }
  const length = wireType === 2 ? readVarint(bytes, at) : undefined;
  if (wireType !== 1 && wireType !== 5 && length === undefined) return undefined;
  const from = length?.end ?? at;
  const size = length?.value ?? (wireType === 1 ? 8n : 4n);
  if (size > BigInt(bytes.length - from)) return undefined;
  const end = from + Number(size);
  return { content: bytes.subarray(from, end), end };
}

const MAX_VARINT_BYTES = 10;

function readVarint(bytes: Uint8Array, from: number): { readonly value: bigint; readonly end: number } | undefined {
  let value = 0n;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[from + i];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: from + i + 1 };
  }
  return undefined;
}
