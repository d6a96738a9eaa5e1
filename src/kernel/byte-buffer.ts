const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

interface ByteBufferOptions {
  /** Memory before anything is added, bytes. */
  readonly initialBytes: number;
  /**
   * Most memory that is kept for reuse, bytes. A larger buffer is released, because such a size may never occur again.
   */
  readonly keptBytes: number;
}

/** An append-only byte buffer with reusable memory. */
export class ByteBuffer {
  readonly #options: ByteBufferOptions;
  #bytes: Buffer;
  #length = 0;

  constructor(options: ByteBufferOptions) {
    this.#options = options;
    this.#bytes = Buffer.allocUnsafeSlow(options.initialBytes);
  }

  /** Number of bytes added. */
  get length(): number {
    return this.#length;
  }

  /** The bytes added. They are valid until `clear`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  add(bytes: Uint8Array): void {
    this.#need(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  addByte(byte: number): void {
    this.#need(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Adds a JSON string. */
  addString(text: string): void {
    this.#need(text.length + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // Nearly every text is plain: no character is escaped, and each is one byte.
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
        this.addText(JSON.stringify(text));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** Adds a JSON number. */
  addNumber(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      this.addText(JSON.stringify(value));
      return;
    }
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    this.#need(digits);
    this.#length += digits;
    let rest = value;
    for (let at = this.#length - 1; digits > 0; digits--) {
      this.#bytes[at--] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  /** Adds a text as UTF-8. */
  addText(text: string): void {
    const size = Buffer.byteLength(text);
    this.#need(size);
    this.#bytes.write(text, this.#length);
    this.#length += size;
  }

  /** Removes all bytes. The memory is reused. */
  clear(): void {
    const { initialBytes, keptBytes } = this.#options;
    this.#length = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** Makes room for `bytes` more bytes. */
  #need(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.bytes);
    this.#bytes = grown;
  }
}
