import { parseHex } from "../../evm-analysis/machine/code.ts";
import { WORD_BYTES } from "../../service/evm/word.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";

/** The bytes of a `DATA` value. @throws {UnavailableError} for any other value, and for more than a mebibyte. */
export function dataBytes(value: unknown): Uint8Array {
  const bytes = typeof value === "string" && value.startsWith("0x") ? parseHex(value) : undefined;
  if (bytes === undefined) throw new UnavailableError("the answer has no bytes where bytes belong");
  return bytes;
}

/**
 * A word of 32 bytes from a `QUANTITY`, or from data of at most 32 bytes: some nodes leave out leading zeros.
 * @throws {UnavailableError} for any other value.
 */
export function wordBytes(value: unknown): Uint8Array {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw new UnavailableError("the answer has no number where a number belongs");
  return parseHex(value.slice(2).padStart(WORD_BYTES * 2, "0")) ?? new Uint8Array(WORD_BYTES);
}

/** The number of a `QUANTITY`. @throws {UnavailableError} */
export function quantity(value: unknown): bigint {
  return wordBytes(value).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

/** A number as a `QUANTITY`. */
export const hex = (number: bigint) => `0x${number.toString(16)}`;

/** The member `name` of an object; undefined when the value is no object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** @throws {UnavailableError} for a value that is no list. */
export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnavailableError("the answer has no list where a list belongs");
  return value;
}
