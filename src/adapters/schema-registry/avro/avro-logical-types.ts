import avro from "avsc";
import { UndecodableError } from "../json-text.ts";

/** Chosen: 154 decimal digits. The text of a longer number takes time in the square of its length. */
const MAX_DECIMAL_BYTES = 64;
/** Chosen: token amounts have up to 36 decimals. */
const MAX_SCALE = 128;

/** The attributes that Avro keeps beside a type. */
interface Attributes {
  readonly scale?: unknown;
}

/** A decimal in bytes or a fixed type. @throws for a scale that is none: Avro then reads the bytes themselves. */
export class DecimalType extends avro.types.LogicalType {
  readonly scale: number;

  constructor(schema: avro.Schema, options?: unknown) {
    super(schema, options);
    const { scale = 0 } = schema as Attributes;
    if (typeof scale !== "number" || !Number.isInteger(scale) || scale < 0 || scale > MAX_SCALE)
      throw new Error("a decimal needs a scale from 0 to 128");
    this.scale = scale;
  }
}

export class UuidType extends avro.types.LogicalType {}

/** The text of a decimal: its whole number as two's complement, big-endian, and the digits behind the point. */
export function decimalText(bytes: Uint8Array, scale: number): string {
  if (bytes.byteLength > MAX_DECIMAL_BYTES)
    throw new UndecodableError(`holds a decimal of more than ${MAX_DECIMAL_BYTES} bytes`);
  const hex = Buffer.from(bytes).toString("hex");
  const whole = BigInt.asIntN(8 * bytes.byteLength, BigInt(hex === "" ? 0 : `0x${hex}`));
  if (scale === 0) return String(whole);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0");
  return `${whole < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
