import { stat } from "node:fs/promises";
import { PullIterable } from "../../../kernel/collections.ts";
import { fileChunks, inputBytes, isPacked, STDIN } from "./input-bytes.ts";

/** One line of a file, without its line end: its position among the bytes that were read with it. */
export class Line {
  /** 1-based. */
  readonly number: number;
  readonly chunk: Buffer;
  readonly from: number;
  readonly to: number;
  /** Whether the line is complete: a line end follows, or the input is finished. */
  readonly isEnded: boolean;

  constructor(number: number, chunk: Buffer, from = 0, to = chunk.length, isEnded = true) {
    this.number = number;
    this.chunk = chunk;
    this.from = from;
    this.to = to;
    this.isEnded = isEnded;
  }

  /** A view of the bytes. The view takes more memory than the content of most lines. */
  get bytes(): Buffer {
    return this.chunk.subarray(this.from, this.to);
  }
}

const LF = 0x0a;
const CR = 0x0d;
/** Bytes that are kept of an overlong line beyond the longest allowed line. */
const CUT_BEYOND = 2;

/**
 * The lines of a file, or of standard input. Packed input is unpacked. A line is cut at `maxBytes` + 2 bytes, so one
 * endless line cannot fill the memory. The reader still sees that the line was too long, even when the cut falls behind
 * a carriage return.
 *
 * @throws {InputUnreadableError}
 */
export async function* readLines(path: string, maxBytes: number): AsyncGenerator<Line> {
  for await (const lines of lineChunks(path, maxBytes)) yield* lines;
}

/**
 * The lines of a file in groups: those that end within one chunk come together. The caller reads each line before it
 * requests the next group.
 *
 * @param isFinished whether a last line without a line end is complete.
 */
export async function* lineChunks(path: string, maxBytes: number, isFinished = false): AsyncGenerator<Iterable<Line>> {
  const cutter = new LineCutter(maxBytes);
  for await (const chunk of inputBytes(path)) {
    cutter.take(chunk);
    yield new PullIterable(() => cutter.next());
  }
  const last = cutter.last(isFinished);
  if (last !== undefined) yield [last];
}

/** Cuts chunks of bytes into lines. It keeps a view of a chunk's last bytes until the next chunk comes. */
class LineCutter {
  #number = 1;
  readonly #maxBytes: number;
  #chunk: Buffer = Buffer.alloc(0);
  #from = 0;
  /** The parts of an unfinished line from earlier chunks. */
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next chunk. The caller reads the lines that end in `chunk`, one by one, before the next call. */
  take(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#from = 0;
  }

  /** The next line without its end. Undefined: the rest comes with the next chunk. */
  next(): Line | undefined {
    const from = this.#from;
    const end = this.#chunk.indexOf(LF, from);
    if (end === -1) {
      this.#keep(this.#chunk.subarray(from));
      this.#from = this.#chunk.length;
      return undefined;
    }
    this.#from = end + 1;
    if (this.#size > 0) {
      this.#keep(this.#chunk.subarray(from, end));
      return this.#kept(true);
    }
    return new Line(this.#number++, this.#chunk, from, this.#endOf(from, end));
  }

  /** The bytes behind the last line end. */
  last(isFinished: boolean): Line | undefined {
    return this.#kept(isFinished);
  }

  #kept(isEnded: boolean): Line | undefined {
    if (this.#size === 0) return undefined;
    const bytes =
      this.#parts.length === 1 && this.#parts[0] !== undefined ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return new Line(this.#number++, bytes, 0, bytes.at(-1) === CR ? bytes.length - 1 : bytes.length, isEnded);
  }

  /** The end of a line in the chunk. An overlong line is cut, and a CR at the end is dropped. */
  #endOf(from: number, end: number): number {
    const cut = Math.min(end, from + this.#maxBytes + CUT_BEYOND);
    return cut > from && this.#chunk[cut - 1] === CR ? cut - 1 : cut;
  }

  #keep(part: Buffer): void {
    const left = this.#maxBytes + CUT_BEYOND - this.#size;
    const room = part.length <= left ? part : part.subarray(0, left);
    if (room.length === 0) return;
    this.#parts.push(room);
    this.#size += room.length;
  }
}

/** The number of lines in the file. Undefined when it cannot be counted beforehand (standard input, packed files). */
export async function countLines(path: string): Promise<number | undefined> {
  if (path === STDIN || path.endsWith(".gz")) return undefined;
  if (!(await isRegularFile(path)) || (await isPacked(path))) return undefined;
  let lines = 0;
  let last = LF;
  for await (const chunk of fileChunks(path)) {
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) lines++;
    last = chunk.at(-1) ?? last;
  }
  return last === LF ? lines : lines + 1;
}

/** A pipe can be read only once. An absent file fails later, when it is read. */
export function isRegularFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => !found.isFIFO() && !found.isSocket() && !found.isCharacterDevice(),
    () => true,
  );
}
