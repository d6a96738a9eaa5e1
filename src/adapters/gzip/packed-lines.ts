import { once } from "node:events";
import { promisify } from "node:util";
import { createGzip, gunzip, gzip } from "node:zlib";
import { ObjectUnreadableError } from "../../archive/object-store.ts";
import type { ObjectPacker } from "../../archive/ports.ts";
import { toError } from "../../kernel/errors.ts";

/**
 * An object of Weir holds some MiB. An object that unpacks to more has another origin, and may be made to fill the
 * memory.
 */
export const MAX_LINES_BYTES = 256 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * Most bytes that the compression hands over at once. Each hand-over costs this thread as much as the decisions on
 * several events.
 */
const MAX_CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
/** Least compression ratio of verdicts. */
const PACKED_PART = 4;

/** Compresses lines with gzip on another thread, so verdicts go on meanwhile. */
export async function packLines(lines: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  const expected = Math.ceil(lines.byteLength / PACKED_PART);
  return pack(lines, { chunkSize: Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, expected)) });
}

/** Bytes that a compression hands over at once: nearly half of the result for an object of 4 MiB. */
const PACKING_CHUNK_BYTES = 256 * 1024;

/** Compresses lines that come piece by piece, and keeps none of the pieces. */
export class GzipPacking implements ObjectPacker {
  readonly #gzip = createGzip({ chunkSize: PACKING_CHUNK_BYTES });
  readonly #packed: Buffer[] = [];

  constructor() {
    this.#gzip.on("data", (chunk: Buffer) => this.#packed.push(chunk));
    // `add` and `end` report the error.
    this.#gzip.on("error", () => undefined);
  }

  async add(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#gzip.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  async end(): Promise<Buffer> {
    const ended = once(this.#gzip, "end");
    this.#gzip.end();
    await ended;
    return Buffer.concat(this.#packed);
  }

  drop(): void {
    this.#gzip.destroy();
  }
}

/**
 * Unpacks lines that `packLines` compressed, within `MAX_LINES_BYTES`. @throws {ObjectUnreadableError} naming `object`.
 */
export async function unpackLines(packed: Uint8Array, object: string): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: MAX_LINES_BYTES, chunkSize: unpackedSize(packed) + 1 });
  } catch (thrown) {
    const { code = "" } = toError(thrown) as NodeJS.ErrnoException;
    throw new ObjectUnreadableError(`${object} ${reasons[code] ?? "is damaged, or no gzip"}`, { code });
  }
}

/** Gzip's deflate shrinks no more than this. Source: zlib technical details, "Maximum Compression Factor". */
const MAX_RATIO = 1_032;
const LEAST_CHUNK = 64;

/**
 * The size by the last four bytes of a gzip file (RFC 1952), within the possible sizes. A chunk of this size holds the
 * whole result, so that no copy is made. A wrong size costs only that copy.
 */
function unpackedSize(packed: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = packed;
  if (byteLength < 4) return LEAST_CHUNK;
  const size = new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true);
  return Math.max(LEAST_CHUNK, Math.min(size, byteLength * MAX_RATIO, MAX_LINES_BYTES));
}

const reasons: Readonly<Record<string, string>> = {
  ERR_BUFFER_TOO_LARGE: `unpacks to more than ${MAX_LINES_BYTES} bytes, which no object of the archive does`,
  Z_BUF_ERROR: "is cut short",
};
