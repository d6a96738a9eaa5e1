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

/**
 * SHA-256 over several parts, each preceded by its length in bytes (8 bytes, big-endian), so that no two different
 * lists of parts hash alike: ("ab", "c") and ("a", "bc") differ.
 */
export function sha256Of(parts: readonly (string | Uint8Array)[]): string {
  let most = 0;
  for (const part of parts)
    most += LENGTH_BYTES + (typeof part === "string" ? MAX_UTF8 * part.length : part.byteLength);
  const bytes = most <= SCRATCH_BYTES ? scratch : Buffer.allocUnsafe(most);
  let at = 0;
  for (const part of parts) {
    const from = at + LENGTH_BYTES;
    const length = typeof part === "string" ? write(part, bytes, from) : part.byteLength;
    if (typeof part !== "string") bytes.set(part, from);
    bytes.writeUInt32BE(Math.floor(length / 2 ** 32), at);
    bytes.writeUInt32BE(length % 2 ** 32, at + 4);
    at = from + length;
  }
  return hash("sha256", bytes === scratch ? scratchOf(at) : bytes.subarray(0, at), "hex");
}

/** As UTF-8. @returns how many bytes. */
function write(text: string, bytes: Buffer, from: number): number {
  if (text.length > SHORT) return bytes.write(text, from);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return bytes.write(text, from);
    bytes[from + i] = code;
  }
  return text.length;
}

/** So many characters are sooner written one by one than handed over. */
const SHORT = 32;
/** Bytes of UTF-8 that a character of a string takes at most. */
const MAX_UTF8 = 3;
const SCRATCH_BYTES = 4_096;
/** What is small is put together here: an event's id is, and no memory is taken for it. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
/** Its beginnings, by their length: events are of few lengths. */
const beginnings: (Buffer | undefined)[] = new Array(SCRATCH_BYTES + 1).fill(undefined);

function scratchOf(length: number): Buffer {
  const known = beginnings[length];
  if (known !== undefined) return known;
  const made = scratch.subarray(0, length);
  beginnings[length] = made;
  return made;
}
