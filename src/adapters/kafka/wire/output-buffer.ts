import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";

/** The buffer starts small and doubles. The size that a stream claims for its content is not trusted. */
const INITIAL_BYTES = 64 * 1024;

/** The unpacked content of a stream. The buffer grows as it is written, never beyond its limit. */
export class OutputBuffer {
  readonly #maxBytes: number;
  #bytes: Buffer;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#bytes = Buffer.allocUnsafe(Math.min(INITIAL_BYTES, maxBytes));
  }

  get length(): number {
    return this.#length;
  }

  /** @throws {BatchUnreadableError} past the limit. */
  append(bytes: Uint8Array): void {
    this.#makeRoomFor(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /**
   * Appends `count` bytes that begin `distance` bytes before the end, as LZ77 does. The copied bytes may include bytes
   * that this call appends.
   *
   * @throws {BatchUnreadableError} past the limit, and for a distance before the start.
   */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > this.#length) throw new BatchUnreadableError("refers to bytes before its start");
    this.#makeRoomFor(count);
    const end = this.#length + count;
    // Each copy doubles the length of the next one, so a run of one byte is fast, too.
    const from = this.#length - distance;
    for (let at = this.#length; at < end; ) {
      const length = Math.min(at - from, end - at);
      this.#bytes.copyWithin(at, from, from + length);
      at += length;
    }
    this.#length = end;
  }

  /** All appended bytes. */
  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #makeRoomFor(count: number): void {
    const needed = this.#length + count;
    if (needed > this.#maxBytes) throw new BatchUnreadableError(`unpacks to more than ${this.#maxBytes} bytes`);
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.#maxBytes, Math.max(needed, 2 * this.#bytes.length)));
    grown.set(this.toBuffer());
    this.#bytes = grown;
  }
}
