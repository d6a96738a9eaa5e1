import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ObjectUnreadableError } from "../../archive/object-store.ts";
import { toError } from "../../kernel/errors.ts";

/** An object of ours holds some MiB; what unpacks to more was made by somebody else, perhaps to fill the memory. */
export const MAX_LINES_BYTES = 256 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Most bytes that the packing hands over at once: each time costs this thread as much as deciding several events. */
const MAX_CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 16 * 1024;
/** Verdicts pack to less than that part of their size. */
const PACKED_PART = 4;

/** Gzip, made on a thread of its own: verdicts go on meanwhile. */
export async function packLines(lines: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  const expected = Math.ceil(lines.byteLength / PACKED_PART);
  return pack(lines, { chunkSize: Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, expected)) });
}

/** The reverse, within `MAX_LINES_BYTES`. @throws {ObjectUnreadableError} naming `object`. */
export async function unpackLines(packed: Uint8Array, object: string): Promise<Buffer> {
  try {
    return await unpack(packed, { maxOutputLength: MAX_LINES_BYTES });
  } catch (thrown) {
    const { code = "" } = toError(thrown) as NodeJS.ErrnoException;
    throw new ObjectUnreadableError(`${object} ${reasons[code] ?? "is damaged, or no gzip"}`, { code });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ERR_BUFFER_TOO_LARGE: `unpacks to more than ${MAX_LINES_BYTES} bytes, which no object of the archive does`,
  Z_BUF_ERROR: "is cut short",
};
