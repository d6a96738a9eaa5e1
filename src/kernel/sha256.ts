import { createHash, hash, subtle } from "node:crypto";

/** SHA-256 of bytes or of a string's UTF-8, as 64 lower-case hex digits. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data, "hex");
}

/** The same on a thread of its own: for many MiB, while others go on. */
export async function sha256Aside(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await subtle.digest("SHA-256", data)).toString("hex");
}

/**
 * SHA-256 of bytes, as 32 bytes. By way of a string with one character a byte, which for the few bytes of an address is
 * faster than asking for a buffer, and a third faster in all than hashing in JavaScript (measured, Node 24).
 */
export function sha256Bytes(data: Uint8Array): Uint8Array {
  return Buffer.from(hash("sha256", data, "binary"), "binary");
}

/** SHA-256 of what comes piece by piece, in the memory of one piece. */
export class RunningSha256 {
  readonly #hash = createHash("sha256");

  add(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  /** 64 lower-case hex digits. Once: nothing can be added after. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}

const LENGTH_BYTES = 8;
/** Bytes of UTF-8 that a character of a string takes at most. */
const MAX_UTF8 = 3;
/** So many characters are sooner written one by one than handed over. Measured: 12 take 28 ns and 34, 42 take 71 and 32. */
const SHORT = 16;
const MEMORY_BYTES = 4_096;

/**
 * SHA-256 over several parts, each preceded by its length in bytes (8 bytes, big-endian), so that no two different
 * lists of parts hash alike: ("ab", "c") and ("a", "bc") differ. A part may be put together of pieces. One of these may be
 * used again and again, by one after the other: what is small takes no memory then.
 */
export class PartsSha256 {
  #bytes = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  /** Its beginnings, by their length: what is hashed is of few lengths. */
  #beginnings: (Buffer | undefined)[] = [];
  /** Where the part begins that is being added to. */
  #from = 0;
  #to = 0;

  /** Forgets what was begun: whoever made its pieces may have thrown. */
  clear(): void {
    this.#to = 0;
  }

  /** Begins the next part. */
  begin(): void {
    this.#endPart();
    this.#from = this.#to;
    this.#need(LENGTH_BYTES);
    this.#to += LENGTH_BYTES;
  }

  /** A piece of the part that was begun last; a string as its UTF-8. */
  add(piece: string | Uint8Array): void {
    if (typeof piece === "string") this.#addText(piece);
    else {
      this.#need(piece.byteLength);
      this.#bytes.set(piece, this.#to);
      this.#to += piece.byteLength;
    }
  }

  /** 64 lower-case hex digits; and no part is left. */
  digest(): string {
    this.#endPart();
    const hex = hash("sha256", this.#whole(), "hex");
    this.#to = 0;
    if (this.#bytes.length > MEMORY_BYTES) {
      this.#bytes = Buffer.allocUnsafeSlow(MEMORY_BYTES);
      this.#beginnings = [];
    }
    return hex;
  }

  #addText(text: string): void {
    this.#need(MAX_UTF8 * text.length);
    const { length } = text;
    const bytes = this.#bytes;
    let at = this.#to;
    if (length <= SHORT) {
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code >= 0x80) break;
        bytes[at++] = code;
      }
      if (i === length) {
        this.#to = at;
        return;
      }
    }
    this.#to += bytes.write(text, this.#to);
  }

  #endPart(): void {
    if (this.#to === 0) return;
    const length = this.#to - this.#from - LENGTH_BYTES;
    this.#bytes.writeUInt32BE(Math.floor(length / 2 ** 32), this.#from);
    this.#bytes.writeUInt32BE(length >>> 0, this.#from + 4);
  }

  #whole(): Buffer {
    const known = this.#beginnings[this.#to];
    if (known !== undefined) return known;
    const made = this.#bytes.subarray(0, this.#to);
    this.#beginnings[this.#to] = made;
    return made;
  }

  /** Makes room for so many more. */
  #need(bytes: number): void {
    const needed = this.#to + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#to));
    this.#bytes = grown;
    this.#beginnings = [];
  }
}

const shared = new PartsSha256();

/** `PartsSha256` of parts that are at hand. */
export function sha256Of(parts: readonly (string | Uint8Array)[]): string {
  shared.clear();
  for (const part of parts) {
    shared.begin();
    shared.add(part);
  }
  return shared.digest();
}
