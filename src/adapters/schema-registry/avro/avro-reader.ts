import avro from "avsc";
import { MAX_JSON_DEPTH } from "../../../kernel/json.ts";
import { BoundedJson, UndecodableError } from "../json-text.ts";
import { DecimalType, decimalText, UuidType, uuidText } from "./avro-logical-types.ts";

const {
  ArrayType,
  BooleanType,
  BytesType,
  DoubleType,
  EnumType,
  FixedType,
  FloatType,
  IntType,
  LogicalType,
  LongType,
  MapType,
  NullType,
  RecordType,
  StringType,
  UnwrappedUnionType,
  WrappedUnionType,
} = avro.types;

/**
 * The JSON of binary Avro. Numbers of 64 bits and decimals keep their text. The branch of a union stands for itself,
 * bytes are hexadecimal with 0x, and dates and times are the numbers that Avro writes.
 *
 * The reader of the library is not used: a count of items in a hostile record makes it allocate without a limit.
 *
 * @throws {UndecodableError}
 */
export function avroJson(type: avro.Type, bytes: Uint8Array, maxLength: number): string {
  const reader = new AvroReader(bytes, maxLength);
  reader.value(type, 1);
  return reader.end();
}

/** Source: Apache Avro 1.12 specification, "Binary encoding". */
class AvroReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #out: BoundedJson;
  #at = 0;

  constructor(bytes: Uint8Array, maxLength: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#out = new BoundedJson(maxLength);
  }

  end(): string {
    const rest = this.#bytes.byteLength - this.#at;
    if (rest > 0) throw new UndecodableError(`holds ${rest} bytes behind its last field`);
    return this.#out.text;
  }

  value(type: avro.Type, depth: number): void {
    const out = this.#out;
    if (depth > MAX_JSON_DEPTH) throw new UndecodableError(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (type instanceof RecordType) this.#record(type, depth);
    else if (type instanceof UnwrappedUnionType || type instanceof WrappedUnionType) this.#union(type, depth);
    else if (type instanceof StringType) out.utf8(this.#sized());
    else if (type instanceof IntType || type instanceof LongType) out.add(String(this.#long()));
    else if (type instanceof NullType) out.add("null");
    else if (type instanceof BooleanType) out.add(this.#boolean());
    else if (type instanceof EnumType) out.string(this.#symbol(type));
    else if (type instanceof ArrayType) this.#array(type, depth);
    else if (type instanceof MapType) this.#map(type, depth);
    else if (type instanceof DoubleType) out.number(this.#view.getFloat64(this.#skip(8), true));
    else if (type instanceof FloatType) out.number(this.#view.getFloat32(this.#skip(4), true));
    else if (type instanceof BytesType) out.hex(this.#sized());
    else if (type instanceof FixedType) out.hex(this.#take(type.size));
    else if (type instanceof DecimalType) out.add(decimalText(this.#raw(type.underlyingType), type.scale));
    else if (type instanceof UuidType) this.#uuid(type, depth);
    else if (type instanceof LogicalType) this.value(type.underlyingType, depth);
    else throw new UndecodableError(`has a schema with an unknown type ${type.typeName}`);
  }

  #record(type: InstanceType<typeof RecordType>, depth: number): void {
    this.#out.add("{");
    for (const [nth, field] of type.fields.entries()) {
      this.#out.key(field.name, nth === 0);
      this.value(field.type, depth + 1);
    }
    this.#out.add("}");
  }

  #union({ types }: { readonly types: readonly avro.Type[] }, depth: number): void {
    const branch = this.#index();
    const type = types[branch];
    if (type === undefined) throw new UndecodableError(`names branch ${branch} of a union of ${types.length}`);
    this.value(type, depth);
  }

  #array({ itemsType }: InstanceType<typeof ArrayType>, depth: number): void {
    this.#out.add("[");
    let isFirst = true;
    for (const _ of this.#items()) {
      if (!isFirst) this.#out.add(",");
      isFirst = false;
      this.value(itemsType, depth + 1);
    }
    this.#out.add("]");
  }

  #map({ valuesType }: InstanceType<typeof MapType>, depth: number): void {
    this.#out.add("{");
    let isFirst = true;
    for (const _ of this.#items()) {
      if (!isFirst) this.#out.add(",");
      isFirst = false;
      this.#out.utf8(this.#sized());
      this.#out.add(":");
      this.value(valuesType, depth + 1);
    }
    this.#out.add("}");
  }

  /** Yields once per item. Items may take no bytes, so their number is bounded by the length of the text. */
  *#items(): Generator<undefined> {
    for (;;) {
      const count = this.#long();
      if (count === 0) return;
      // A block with a negative count has its size in bytes behind the count.
      if (count < 0) this.#long();
      const items = count < 0 ? -count : count;
      for (let nth: number | bigint = 0; nth < items; nth++) yield;
    }
  }

  #uuid({ underlyingType }: UuidType, depth: number): void {
    const isFixed = underlyingType instanceof FixedType && underlyingType.size === 16;
    if (isFixed) this.#out.string(uuidText(this.#take(16)));
    else this.value(underlyingType, depth);
  }

  #raw(type: avro.Type): Uint8Array {
    return type instanceof FixedType ? this.#take(type.size) : this.#sized();
  }

  #symbol({ symbols }: InstanceType<typeof EnumType>): string {
    const index = this.#index();
    const symbol: unknown = symbols[index];
    if (typeof symbol !== "string") throw new UndecodableError(`names symbol ${index} of an enum of ${symbols.length}`);
    return symbol;
  }

  #boolean(): string {
    const byte = this.#bytes[this.#skip(1)];
    if (byte === 0 || byte === 1) return byte === 1 ? "true" : "false";
    throw new UndecodableError("holds a boolean that is neither 0 nor 1");
  }

  #index(): number {
    const index = this.#long();
    if (typeof index === "bigint" || index < 0) throw new UndecodableError(`names branch or symbol ${index}`);
    return index;
  }

  #sized(): Uint8Array {
    const length = this.#long();
    if (typeof length === "bigint" || length < 0) throw new UndecodableError("holds a length out of range");
    return this.#take(length);
  }

  #take(length: number): Uint8Array {
    const from = this.#skip(length);
    return this.#bytes.subarray(from, this.#at);
  }

  /** @returns where the skipped bytes begin. */
  #skip(length: number): number {
    const from = this.#at;
    if (length > this.#bytes.byteLength - from) throw new UndecodableError("ends within a field");
    this.#at += length;
    return from;
  }

  /** A whole number of up to 64 bits: a bigint beyond 2^53. */
  #long(): number | bigint {
    let [bits, shift] = [0n, 0n];
    for (let nth = 0; nth < 10; nth++) {
      const byte = this.#bytes[this.#skip(1)] ?? 0;
      bits |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte >= 0x80) continue;
      const value = BigInt.asIntN(64, (bits >> 1n) ^ -(bits & 1n));
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    }
    throw new UndecodableError("holds a number of more than 64 bits");
  }
}
