import { stat } from "node:fs/promises";
import { inputBytes, isPacked, STDIN } from "./input-bytes.ts";

/** One line of a file, without its end. `number` is 1-based. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The lines of a file, or of standard input; what is packed is unpacked. A line is cut at `maxBytes` + 2, so that one
 * endless line cannot fill the memory and its reader still sees that it was too long, even when the cut fell behind a
 * carriage return.
 *
 * @throws {InputUnreadableError}
 */
export async function* readLines(path: string, maxBytes: number): AsyncGenerator<Line> {
  for await (const lines of lineChunks(path, maxBytes)) yield* lines;
}

/** The same, those that end within one chunk of the file together: each is to be read before the next are asked for. */
export function lineChunks(path: string, maxBytes: number): AsyncGenerator<Iterable<Line>> {
  return linesOf(inputBytes(path), maxBytes);
}

/** The same of bytes from wherever. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Iterable<Line>> {
  let number = 1;
  const parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer) => {
    const left = maxBytes + 2 - size;
    const room = part.length <= left ? part : part.subarray(0, left);
    if (room.length === 0) return;
    parts.push(room);
    size += room.length;
  };
  const take = (): Line => {
    // A line within one chunk is a view of it: most are, and a copy of each would be a tenth of the reading.
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    parts.length = 0;
    size = 0;
    return { number: number++, bytes: bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes };
  };
  const linesIn = function* (chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      keep(chunk.subarray(from, end));
      yield take();
      from = end + 1;
    }
    keep(chunk.subarray(from));
  };
  for await (const chunk of chunks) yield linesIn(chunk);
  if (size > 0) yield [take()];
}

/** How many lines the file has, or undefined when that cannot be told beforehand (standard input, packed files). */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === STDIN || path.endsWith(".gz")) return undefined;
  if (!(await isRegularFile(path)) || (await isPacked(path))) return undefined;
  let lines = 0;
  let last = LF;
  for await (const chunk of inputBytes(path)) {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines++;
    last = chunk.at(-1) ?? last;
  }
  return last === LF ? lines : lines + 1;
}

/** A pipe can be read once only. What is not there fails where it is read. */
export function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isFIFO() && !found.isSocket() && !found.isCharacterDevice(),
    () => true,
  );
}
