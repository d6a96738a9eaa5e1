const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

interface ByteBufferOptions {
  /** Its memory before anything is added. */
  readonly initialBytes: number;
  /** Most of it that is kept to be filled again; so much more than usual came once, and may never again. */
  readonly keptBytes: number;
}

/** Bytes that are put behind one another, in memory that is filled again. */
export class ByteBuffer {
  readonly #options: ByteBufferOptions;
  #bytes: Buffer;
  #length = 0;

  constructor(options: ByteBufferOptions) {
    this.#options = options;
    this.#bytes = Buffer.allocUnsafeSlow(options.initialBytes);
  }

  /** How much was added. */
  get length(): number {
    return this.#length;
  }

  /** What was added; it stands until `clear`. */
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

  /** As a string of JSON. */
  addString(text: string): void {
    this.#need(text.length + 2);
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      // Nearly every one is plain: nothing in it is escaped, and each character is a byte.
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
        this.addText(JSON.stringify(text));
        return;
      }
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** As a number of JSON. */
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

  /** As UTF-8. */
  addText(text: string): void {
    const size = Buffer.byteLength(text);
    this.#need(size);
    this.#bytes.write(text, this.#length);
    this.#length += size;
  }

  /** Forgets what was added; its memory is filled again. */
  clear(): void {
    const { initialBytes, keptBytes } = this.#options;
    this.#length = 0;
    if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  /** Makes room for so many more. */
  #need(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.bytes);
    this.#bytes = grown;
  }
}
