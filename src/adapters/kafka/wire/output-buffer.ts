import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";

/** Starts small and doubles: what a stream claims that it unpacks to is not taken on trust. */
const INITIAL_BYTES = 64 * 1024;

/** What a stream unpacks to: grows as it is written, never beyond its limit. */
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
   * Appends `count` bytes that begin `distance` back from the end, as LZ77 does: those just written may be among them.
   *
   * @throws {BatchUnreadableError} past the limit, and for a distance before the start.
   */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > this.#length) throw new BatchUnreadableError("refers to bytes before its start");
    this.#makeRoomFor(count);
    const end = this.#length + count;
    // Each copy doubles what the next one may take, so a run of one byte is quick too.
    const from = this.#length - distance;
    for (let at = this.#length; at < end; ) {
      const length = Math.min(at - from, end - at);
      this.#bytes.copyWithin(at, from, from + length);
      at += length;
    }
    this.#length = end;
  }

  /** All that was written. */
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
