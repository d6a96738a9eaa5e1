import { KEY_BYTES, keyText } from "../key.ts";
import { ByteReader } from "./byte-reader.ts";

/** Reads the fields of an instruction's data. Integers are little-endian in every program of the network. */
export class FieldReader extends ByteReader {
  u32(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.take(4);
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }

  u64(): bigint {
    return BigInt(this.u32()) | (BigInt(this.u32()) << 32n);
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.u64());
  }

  /** Reads an optional field. A leading byte says whether the field is present. */
  optional<T>(read: () => T): T | undefined {
    return this.byte() === 0 ? undefined : read();
  }

  key(): string {
    return keyText(this.take(KEY_BYTES));
  }

  /** Skips a text. Its length stands before it as 64 bits. */
  skipText(): void {
    const length = this.u64();
    this.take(length > BigInt(this.left) ? this.left + 1 : Number(length));
  }
}
