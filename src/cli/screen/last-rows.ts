import { renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Format } from "../../adapters/files/input/format.ts";
import type { Line } from "../../adapters/files/input/lines.ts";
import type { Tail } from "../../adapters/files/input/records.ts";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import type { Verdict } from "../../messages/verdict.ts";

const SCHEMA = "weir.last-rows/1";
const LastRowsFile = z.strictObject({
  schema: z.literal(SCHEMA),
  line: z.number().int().describe("number of the first of these lines"),
  text: z.base64().describe("the lines, joined by LF"),
  replaced: z.array(z.string()).describe("ids of verdicts on lines that have grown since"),
});
type Kept = Omit<z.infer<typeof LastRowsFile>, "schema">;

/**
 * Most lines that are kept. Each is written down with all before it, so that one stray quote above a long file would take
 * hours. Chosen: far more lines than a cell has; a longer row that grows is refused as changed.
 */
const MOST_LINES = 256;
const LF = 0x0a;
const NOTHING: Kept = { line: 0, text: "", replaced: [] };

/**
 * DIR/last-rows.json: the lines at the end of the input that may still grow: a last line without line end, and the lines of a
 * quoted cell that is not closed. The next run finds that such a line has grown, and screens the whole of it. The lines are
 * written down before their verdicts, so that a run that is killed between them leaves nothing that refuses the file.
 *
 * A last line of NDJSON that is no whole object has no verdict at all: it waits.
 */
export class LastRows implements Tail {
  readonly #path: string;
  /** What an earlier run left. */
  readonly #line: number;
  readonly #bytes: Buffer;
  readonly #starts: readonly number[];
  readonly #replaced: Set<string>;
  /** Verdicts on those lines. None of them counts before its line is found to be what it was. */
  readonly #held = new Map<number, Verdict>();
  /** Lines that have grown, and how many more lines belong to their rows now. */
  readonly #grown = new Map<number, number>();
  #now: { readonly line: number; readonly lines: Buffer[] } | undefined;
  #waiting: number | undefined;

  private constructor(path: string, { line, text, replaced }: Kept) {
    this.#path = path;
    this.#line = line;
    this.#bytes = Buffer.from(text, "base64");
    this.#starts = startsOf(this.#bytes);
    this.#replaced = new Set(replaced);
  }

  /** @throws {OutputUnwritableError} */
  static async open(path: string): Promise<LastRows> {
    return new LastRows(path, await readKept(path));
  }

  /** The line that waits, if one does. */
  get waiting(): number | undefined {
    return this.#waiting;
  }

  /** Whether another verdict on the row stands in place of this one. */
  isReplaced({ verdict_id }: Verdict): boolean {
    return this.#replaced.has(verdict_id);
  }

  /** @returns whether `verdict` is on a line that may have grown: `stands` gives it back. */
  hold(verdict: Verdict): boolean {
    const { source } = verdict;
    const isHeld = "line" in source && this.#startOf(source.line) !== undefined;
    if (isHeld) this.#held.set(source.line, verdict);
    return isHeld;
  }

  /** The verdict on a line that is what it was. */
  stands(line: number): Verdict | undefined {
    return this.#held.get(line);
  }

  /**
   * Replaces the verdicts on a row that has grown, and on lines that belong to the row now. @returns the lines of the row;
   * none when it does not begin with what stood there before.
   */
  replace(line: number): readonly number[] {
    const more = this.#grown.get(line);
    if (more === undefined) return [];
    const lines = Array.from({ length: more + 1 }, (_, i) => line + i);
    for (const each of lines) {
      const verdict = this.#held.get(each);
      if (verdict !== undefined) this.#replaced.add(verdict.verdict_id);
    }
    this.#write();
    return lines;
  }

  take(line: Line, format: Format | undefined): boolean {
    const start = this.#startOf(line.number);
    if (start !== undefined) this.#compare(line, this.#bytes.subarray(start));
    if (line.isEnded) return true;
    if (format === "ndjson" && isPartOfObject(line)) {
      this.#waiting = line.number;
      return false;
    }
    this.#now ??= { line: line.number, lines: [] };
    if (this.#now.lines.length >= MOST_LINES) return true;
    this.#now.lines.push(Buffer.from(line.bytes));
    this.#write();
    return true;
  }

  #startOf(line: number): number | undefined {
    return this.#bytes.length === 0 ? undefined : this.#starts[line - this.#line];
  }

  #compare({ number, bytes }: Line, before: Uint8Array): void {
    if (bytes.length <= before.length || !bytes.subarray(0, before.length).equals(before)) return;
    this.#grown.set(number, startsOf(bytes).length - 1);
  }

  /** @throws {OutputUnwritableError} */
  #write(): void {
    const lines = this.#now?.lines ?? [];
    const kept: Kept = {
      line: this.#now?.line ?? this.#line,
      text: (this.#now === undefined ? this.#bytes : joined(lines)).toString("base64"),
      replaced: [...this.#replaced],
    };
    try {
      const unfinished = `${this.#path}.${process.pid}.tmp`;
      writeFileSync(unfinished, `${JSON.stringify({ schema: SCHEMA, ...kept })}\n`);
      renameSync(unfinished, this.#path);
    } catch (thrown) {
      throw new OutputUnwritableError(`cannot write ${this.#path}: ${toError(thrown).message}: choose another --out`);
    }
  }
}

/** Whether it is no JSON object: only what is one can be followed by nothing but its line end. */
function isPartOfObject({ bytes }: Line): boolean {
  const text = bytes.toString("utf8").trim();
  if (text === "") return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== "object" || value === null;
  } catch {
    return true;
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, i) => (i === 0 ? [line] : [Buffer.of(LF), line])));
}

/** Where each line begins. */
function startsOf(bytes: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) starts.push(at + 1);
  return starts;
}

async function readKept(path: string): Promise<Kept> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (thrown) {
    if (Reflect.get(toError(thrown), "code") === "ENOENT") return NOTHING;
    throw unreadable(path, toError(thrown).message);
  }
  const read = LastRowsFile.safeParse(parsed(text));
  if (!read.success) throw unreadable(path, "it is not what was written there");
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return undefined;
  }
}

function unreadable(path: string, why: string): OutputUnwritableError {
  return new OutputUnwritableError(`cannot read ${path}: ${why}: choose another --out`);
}
