const LF = 0x0a;
const INITIAL_BYTES = 64 * 1024;
/** What a buffer may keep to be filled again. Chosen: a thousand verdicts, as many as are written together. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;

/** Lines as bytes, each put behind the last as it comes: neither a list of them nor one text of all is made. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** What was added, until `clear`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param line without its end. */
  add(line: string): void {
    const needed = this.#length + Buffer.byteLength(line) + 1;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.write(line, this.#length);
    this.#bytes[needed - 1] = LF;
    this.#length = needed;
  }

  /** Forgets what was added; its memory is filled again. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }
}
