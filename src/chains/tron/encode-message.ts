import { hex } from "@scure/base";
import { tronHexOf } from "../tron-address.ts";
import type { Field, FieldKind, Message } from "./message.ts";
import { type FieldValue, integerIn, itemsIn, type MessageValue } from "./message-value.ts";

/** Wire types. Source: protobuf.dev, "Encoding". */
const VARINT = 0;
const LENGTH = 2;

/**
 * The bytes of a message as protobuf's own libraries write it: fields ascending, no field that holds its default, but a
 * message that is there and empty. So what TRON's libraries built is encoded to the bytes that they signed.
 */
export function encodeMessage(message: Message, value: MessageValue): Uint8Array {
  return Uint8Array.from(bytesOf(message, value));
}

/** A length-delimited field with these bytes, or nothing for none. */
function bytesField(number: number, content: ArrayLike<number>): number[] {
  if (content.length === 0) return [];
  return [...varint(BigInt(number * 8 + LENGTH)), ...varint(BigInt(content.length)), ...Array.from(content)];
}

/** An integer field; nothing for 0. */
function integerField(number: number, value: bigint): number[] {
  return value === 0n ? [] : [...varint(BigInt(number * 8 + VARINT)), ...varint(value)];
}

/** A field whose message is there, though it be empty. */
function messageField(number: number, content: readonly number[]): number[] {
  return [...varint(BigInt(number * 8 + LENGTH)), ...varint(BigInt(content.length)), ...content];
}

function bytesOf(message: Message, value: MessageValue): number[] {
  return message.flatMap((field) => itemsIn(value, field.name).flatMap((each) => itemBytes(field, each)));
}

function itemBytes({ number, kind }: Field, value: FieldValue): number[] {
  if (typeof value === "bigint") return integerField(number, value);
  if (typeof value === "boolean") return integerField(number, value ? 1n : 0n);
  if (typeof value === "string") return bytesField(number, new TextEncoder().encode(value));
  if ("hex" in value) return bytesField(number, hex.decode(value.hex));
  if ("address" in value) return bytesField(number, hex.decode(tronHexOf(value.address)));
  return messageField(number, nestedBytes(kind, value));
}

function nestedBytes(kind: FieldKind, value: MessageValue): number[] {
  if (typeof kind !== "object" || !("message" in kind)) return [];
  if (kind.isMapEntry !== true) return bytesOf(kind.message, value);
  return kind.message.flatMap(({ name, number }) => [
    ...varint(BigInt(number * 8 + VARINT)),
    ...varint(integerIn(value, name)),
  ]);
}

/** Seven bits a byte, the lowest first. Negative numbers have all 64 bits. */
function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
