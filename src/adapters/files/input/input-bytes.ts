import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { InputUnreadableError, toError } from "../../../kernel/errors.ts";
import { isGzip, noText, SNIFFED_BYTES } from "./no-text.ts";

/** The usual name of standard input. */
export const STDIN = "-";

const CHUNK_BYTES = 1 << 18;

/**
 * The bytes of a file, or of standard input, as text in UTF-8. Packed input is recognised by its content, not by its
 * name, and unpacked.
 *
 * @throws {InputUnreadableError} also in the middle of a file that is truncated or damaged.
 */
export async function* inputBytes(path: string): AsyncGenerator<Buffer> {
  try {
    let isFirst = true;
    for await (const chunk of withoutOldMacLines(path, headFirst(unpacked(path, headFirst(source(path)))))) {
      const what = isFirst ? noText(chunk) : undefined;
      if (what !== undefined) throw new InputUnreadableError(`cannot read ${nameOf(path)}: ${what}`);
      isFirst = false;
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof InputUnreadableError ? thrown : unreadable(path, toError(thrown));
  }
}

/**
 * The raw bytes of a regular file, in the memory of one chunk: each chunk is valid until the next is requested. Streams
 * allocate new memory for every chunk, and a file is read faster than that memory is collected.
 *
 * @throws {InputUnreadableError}
 */
export async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    const handle = await open(path);
    try {
      for (;;) {
        const { bytesRead } = await handle.read(memory, 0, CHUNK_BYTES);
        if (bytesRead === 0) return;
        yield memory.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw unreadable(path, toError(thrown));
  }
}

/** Whether a regular file holds gzip. An unreadable file fails later, when its content is read. */
export async function isPacked(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  try {
    const head = Buffer.alloc(SNIFFED_BYTES);
    await handle?.read(head);
    return isGzip(head);
  } catch {
    // A directory, for example.
    return false;
  } finally {
    await handle?.close();
  }
}

/** The name of the input in messages. */
export function nameOf(path: string): string {
  return path === STDIN ? "standard input" : path;
}

function source(path: string): AsyncIterable<Buffer> {
  return path === STDIN ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

const OLD_MAC =
  "its lines end in CR alone, as on old Macs: convert them to LF, for example with tr '\\r' '\\n' < IN > OUT";

const CR = 0x0d;
const LF = 0x0a;
/** Bytes within which the first LF must come. Ordinary lines of text are shorter. */
const FIRST_LINE_BYTES = 65_536;

/**
 * Passes the bytes on unchanged, and refuses text with lines that end in CR alone. Such text would be one single line,
 * and a header that hides every row. The refused text has a CR that another character follows, and no LF in its first
 * 64 KiB.
 */
async function* withoutOldMacLines(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = FIRST_LINE_BYTES;
  let endsInCr = false;
  let isOldMac = false;
  const refuse = () => {
    if (isOldMac) throw new InputUnreadableError(`cannot read ${nameOf(path)}: ${OLD_MAC}`);
  };
  for await (const chunk of chunks) {
    if (left > 0) {
      const head = chunk.subarray(0, left);
      if (head.includes(LF)) left = 0;
      else {
        isOldMac ||= endsInCr || head.subarray(0, -1).includes(CR);
        endsInCr = head.at(-1) === CR;
        left -= head.length;
        if (left === 0) refuse();
      }
    }
    yield chunk;
  }
  if (left > 0) refuse();
}

/** Passes the bytes on unchanged, with the first `SNIFFED_BYTES` bytes in one chunk. */
async function* headFirst(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head !== undefined) head = Buffer.concat([head, chunk]);
    if (head === undefined) yield chunk;
    else if (head.length >= SNIFFED_BYTES) {
      yield head;
      head = undefined;
    }
  }
  if (head !== undefined && head.length > 0) yield head;
}

async function* unpacked(path: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { value: head = Buffer.alloc(0) } = (await chunks.next()) as { value?: Buffer };
  const whole = startingWith(head, chunks);
  if (isGzip(head)) {
    // The loop that reads gets the error of either end, so nothing else handles it here.
    yield* pipeline(whole, createGunzip(), () => undefined) as AsyncIterable<Buffer>;
  } else if (path.endsWith(".gz")) {
    await chunks.return(undefined);
    const what = head.length === 0 ? "it is empty" : "its content is not gzip";
    throw new InputUnreadableError(
      `cannot read ${path}: its name says gzip, but ${what}: name it without .gz, or pack it again`,
    );
  } else yield* whole;
}

async function* startingWith(head: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* chunks;
  } finally {
    await chunks.return(undefined);
  }
}

/** The reason for each error code of the system, and the remedy. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file: check its name and folder",
  EISDIR: "it is a directory: name a file in it",
  EACCES: "this user may not read it: change its permissions, or run as a user who may",
  EPERM: "this user may not read it: change its permissions, or run as a user who may",
  Z_BUF_ERROR: "its gzip data was cut off: get it again in full, or pack it again",
  Z_DATA_ERROR: "its gzip data is damaged: get it again, or pack it again",
};

function unreadable(path: string, error: NodeJS.ErrnoException): InputUnreadableError {
  const { code = "" } = error;
  const reason = reasons[code];
  const why = reason === undefined ? `${error.message}: see that it can be read` : `${code}: ${reason}`;
  return new InputUnreadableError(`cannot read ${nameOf(path)}: ${why}`, {}, { cause: error });
}
