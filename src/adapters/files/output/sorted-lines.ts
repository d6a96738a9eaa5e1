import { mkdtemp, open, rm } from "node:fs/promises";
import path from "node:path";
import { readLines } from "../input/lines.ts";
import { MAX_VERDICT_BYTES } from "./verdict-log.ts";

/** Characters that stay in memory. Chosen: with 8 MiB a report of a million rows takes 358 MiB, with 20 MiB 304, since each file has a buffer. */
const MOST_CHARACTERS = 20 * 1024 * 1024;
const TAB = "\t";

/**
 * Lines of text in the order of their keys, in bounded memory. Lines beyond the bound become sorted files in a folder
 * of their own, which a read merges. Few lines never touch the disk. Source: Knuth, The Art of Computer Programming,
 * volume 3, external sorting.
 */
export class SortedLines {
  readonly #parent: string;
  readonly #most: number;
  #folder: string | undefined;
  #lines: string[] = [];
  #characters = 0;
  readonly #runs: string[] = [];

  /** @param parent folder that takes the folder of the sorted files. */
  constructor(parent: string, mostCharacters = MOST_CHARACTERS) {
    this.#parent = parent;
    this.#most = mostCharacters;
  }

  /**
   * @param key without a tab; equal keys keep no order.
   * @param text one line.
   * @returns a promise when the caller has to wait for the disk.
   */
  add(key: string, text: string): Promise<void> | undefined {
    const line = `${key}${TAB}${text}`;
    this.#lines.push(line);
    this.#characters += line.length;
    return this.#characters < this.#most ? undefined : this.#spill();
  }

  /** The texts in the order of their keys. */
  async *read(): AsyncGenerator<string> {
    if (this.#runs.length === 0) {
      for (const line of this.#lines.sort(byCode)) yield textOf(line);
      return;
    }
    if (this.#lines.length > 0) await this.#spill();
    for await (const line of merged(this.#runs.map(linesOf))) yield textOf(line);
  }

  /** Removes the sorted files. */
  async close(): Promise<void> {
    this.#lines = [];
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #spill(): Promise<void> {
    this.#folder ??= await mkdtemp(path.join(this.#parent, "weir-rows-"));
    const file = path.join(this.#folder, String(this.#runs.length));
    const lines = this.#lines.sort(byCode);
    this.#lines = [];
    this.#characters = 0;
    const handle = await open(file, "wx", 0o600);
    try {
      for (let at = 0; at < lines.length; at += LINES_A_WRITE)
        await handle.writeFile(`${lines.slice(at, at + LINES_A_WRITE).join("\n")}\n`);
    } finally {
      await handle.close();
    }
    this.#runs.push(file);
  }
}

const LINES_A_WRITE = 1_000;

/** By code units, since a locale could order keys in another way. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOf(line: string): string {
  return line.slice(line.indexOf(TAB) + 1);
}

async function* linesOf(file: string): AsyncGenerator<string> {
  for await (const { bytes } of readLines(file, 2 * MAX_VERDICT_BYTES)) yield bytes.toString("utf8");
}

interface Head {
  readonly lines: AsyncGenerator<string>;
  line: string;
}

/** The lines of sorted sources in one order. There are few sources, so the least line is searched among all heads. */
async function* merged(sources: readonly AsyncGenerator<string>[]): AsyncGenerator<string> {
  const heads: Head[] = [];
  for (const lines of sources) {
    const { done, value } = await lines.next();
    if (done !== true) heads.push({ lines, line: value });
  }
  for (let least = leastOf(heads); least !== undefined; least = leastOf(heads)) {
    yield least.line;
    const { done, value } = await least.lines.next();
    if (done === true) heads.splice(heads.indexOf(least), 1);
    else least.line = value;
  }
}

function leastOf(heads: readonly Head[]): Head | undefined {
  let least: Head | undefined;
  for (const head of heads) if (least === undefined || head.line < least.line) least = head;
  return least;
}
