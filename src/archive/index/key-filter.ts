import { sha256Bytes } from "../../kernel/hash.ts";

/** One key in 400 that is absent looks present. Source: Bloom, CACM 13, 1970, with 8 hashes. */
const BITS_PER_KEY = 12.5;
const HASHES = 8;
const SCHEMA = "weir.key-filter/1";

/** A Bloom filter over the keys of one archive object. A key that it denies is certainly absent. */
export class KeyFilter {
  readonly #bits: Uint8Array;
  readonly #keys: number;

  private constructor(bits: Uint8Array, keys: number) {
    this.#bits = bits;
    this.#keys = keys;
  }

  static of(keys: ReadonlySet<string>): KeyFilter {
    const bits = new Uint8Array(sizeOf(keys.size));
    for (const key of keys) for (const bit of bitsOf(key, bits.length * 8)) setBit(bits, bit);
    return new KeyFilter(bits, keys.size);
  }

  /** Undefined for text that is no filter. */
  static read(json: string): KeyFilter | undefined {
    try {
      const { schema, keys, bits } = Object(JSON.parse(json));
      if (schema !== SCHEMA || typeof bits !== "string" || !Number.isSafeInteger(keys)) return undefined;
      const bytes = Buffer.from(bits, "base64");
      // A shorter filter would deny keys that are there.
      return bytes.length === sizeOf(keys) ? new KeyFilter(bytes, keys) : undefined;
    } catch {
      return undefined;
    }
  }

  mayHave(key: string): boolean {
    for (const bit of bitsOf(key, this.#bits.length * 8))
      if (((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    return true;
  }

  toJson(): string {
    return JSON.stringify({ schema: SCHEMA, keys: this.#keys, bits: Buffer.from(this.#bits).toString("base64") });
  }
}

function sizeOf(keys: number): number {
  return Math.ceil((Math.max(1, keys) * BITS_PER_KEY) / 8);
}

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
}

/** Each position takes 4 of the 32 bytes of the key's SHA-256. */
function bitsOf(key: string, size: number): readonly number[] {
  const hash = sha256Bytes(Buffer.from(key));
  const view = new DataView(hash.buffer, hash.byteOffset, hash.byteLength);
  return Array.from({ length: HASHES }, (_, i) => view.getUint32(4 * i) % size);
}
