import { hex } from "@scure/base";
import { tronHexOf } from "../tron-address.ts";
import type { FieldKind, MessageField, MessageType } from "./message.ts";
import { type FieldValue, integerIn, itemsIn, type MessageValue } from "./message-value.ts";

/** Wire types. Source: protobuf.dev, "Encoding". */
const VARINT = 0;
const LENGTH = 2;

/**
 * Encodes a message as protobuf's own libraries do. Fields ascend by number, and fields with their default value are
 * left out. A present but empty message is written. So a transaction that TRON's libraries built is encoded to the
 * bytes that they signed.
 */
export function encodeMessage(message: MessageType, value: MessageValue): Uint8Array {
  return joined(message.flatMap((field) => itemsIn(value, field.name).map((each) => itemBytes(field, each))));
}

const nothing = new Uint8Array();

/** A length-delimited field with these bytes. Empty when there are no bytes. */
function bytesField(number: number, content: Uint8Array): Uint8Array {
  return content.length === 0 ? nothing : messageField(number, content);
}

/** An integer field. Empty for 0. */
function integerField(number: number, value: bigint): Uint8Array {
  return value === 0n ? nothing : fullIntegerField(number, value);
}

/** An integer field that is written even for 0. */
function fullIntegerField(number: number, value: bigint): Uint8Array {
  return joined([varint(BigInt(number * 8 + VARINT)), varint(value)]);
}

/** A field for a present message, written even when the message is empty. */
function messageField(number: number, content: Uint8Array): Uint8Array {
  return joined([varint(BigInt(number * 8 + LENGTH)), varint(BigInt(content.length)), content]);
}

function itemBytes({ number, kind }: MessageField, value: FieldValue): Uint8Array {
  if (typeof value === "bigint") return integerField(number, value);
  if (typeof value === "boolean") return integerField(number, value ? 1n : 0n);
  if (typeof value === "string") return bytesField(number, new TextEncoder().encode(value));
  if ("hex" in value) return bytesField(number, hex.decode(value.hex));
  if ("address" in value) return bytesField(number, hex.decode(tronHexOf(value.address)));
  return messageField(number, nestedBytes(kind, value));
}

function nestedBytes(kind: FieldKind, value: MessageValue): Uint8Array {
  if (typeof kind !== "object" || !("message" in kind)) return nothing;
  if (kind.isMapEntry !== true) return encodeMessage(kind.message, value);
  return joined(kind.message.map(({ name, number }) => fullIntegerField(number, integerIn(value, name))));
}

/** Encodes seven bits per byte, the lowest first. Negative numbers take all 64 bits. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
