import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { type LabelList, LabelListReader } from "../../labels/label-list.ts";
import type { Reach } from "../../labels/label-row.ts";
import type { SourceRow } from "../../labels/label-sifter.ts";
import type { LabelSource } from "../../labels/ports.ts";
import { JsonRows } from "./json-rows.ts";
import { CsvRows, type RowReader } from "./label-rows.ts";
import { noText } from "./no-text.ts";

/** A million labels with programs and notes are about 200 MB; more than this in one file is a wrong path, not a list. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** What is read between two turns of others: some 600 rows. */
const PIECE_BYTES = 32 * 1024;

const readers: Readonly<Record<string, () => RowReader>> = {
  ".csv": () => new CsvRows(),
  ".json": () => new JsonRows(),
};

/** Label lists in CSV and JSON files, one list a file, in the order of `paths`. */
export class LabelFiles implements LabelSource {
  readonly #paths: readonly string[];
  readonly #reachOf: (path: string) => Reach;
  #loadedStamp: string | undefined;
  /** What the last look found. */
  #seenStamp: string | undefined;

  /** Labels of the files `ofFamilies` hold on all chains of their family. */
  constructor(paths: readonly string[], ofFamilies: readonly string[] = []) {
    this.#paths = paths;
    this.#reachOf = (path) => (ofFamilies.includes(path) ? "family" : "chain");
  }

  async load(): Promise<readonly LabelList[]> {
    // Taken before the contents: a file that changes while it is read counts as changed afterwards.
    this.#loadedStamp = await this.#stamp();
    const lists: LabelList[] = [];
    // One after the other: side by side their turns would add up.
    for (const path of this.#paths) lists.push(await readList(path, this.#reachOf(path)));
    return lists;
  }

  /**
   * Whether any file differs, by inode, size or modification time, from what the last `load` found, and none has changed
   * since the last call: what is still being written is not to be read yet.
   */
  async changedAndSettled(): Promise<boolean> {
    const stamp = await this.#stamp();
    const isSettled = stamp === this.#seenStamp;
    this.#seenStamp = stamp;
    return isSettled && stamp !== this.#loadedStamp;
  }

  async #stamp(): Promise<string> {
    return (await Promise.all(this.#paths.map(stampOf))).join("\n");
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    // Absent or unreadable: `load` says so; coming back is a change.
    return "absent";
  }
}

async function readList(file: string, reach: Reach): Promise<LabelList> {
  const reader = readers[path.extname(file).toLowerCase()]?.();
  if (reader === undefined) {
    throw new ConfigInvalidError(`label file ${file}: name it .csv or .json, its extension says how it is read`);
  }
  const list = new LabelListReader(reach);
  let last = "";
  for await (const text of piecesOf(file)) {
    addAll(list, file, () => reader.push(text));
    last = text.at(-1) ?? last;
    await setImmediate();
  }
  addAll(list, file, () => reader.end());
  // JSON that is cut off does not parse, so its last line break says nothing.
  return list.list(file, reader instanceof CsvRows && last !== "\n" && last !== "\r");
}

function addAll(list: LabelListReader, file: string, rows: () => Iterable<SourceRow>): void {
  try {
    for (const row of rows()) list.add(row);
  } catch (thrown) {
    throw new ConfigInvalidError(`label file ${file}: ${toError(thrown).message}`, {}, { cause: thrown });
  }
}

/** The text of a file, without a byte order mark. */
async function* piecesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw tooLarge(file);
    let bytes = 0;
    for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
      const read = piece as Buffer;
      const what = bytes === 0 ? noText(read) : undefined;
      if (what !== undefined) throw new ConfigInvalidError(`label file ${file}: ${what}`);
      bytes += read.length;
      if (bytes > MAX_FILE_BYTES) throw tooLarge(file);
      yield decoder.decode(read, { stream: true });
    }
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw thrown;
    throw new ConfigInvalidError(`label file ${file}: ${unreadable(toError(thrown))}`, {}, { cause: thrown });
  }
  yield decoder.decode();
}

function tooLarge(file: string): ConfigInvalidError {
  return new ConfigInvalidError(`label file ${file}: larger than ${MAX_FILE_BYTES} bytes; split it into several files`);
}

/** What the system says in a word, and what to do about it: the operator wrote the name in LABELS_FILES. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; correct its name in LABELS_FILES, or take it out there",
  EISDIR: "it is a directory; name the files in it in LABELS_FILES, separated by commas",
  EACCES: "this user may not read it; change its permissions, or take it out of LABELS_FILES",
};

function unreadable({ code = "", message }: NodeJS.ErrnoException): string {
  const reason = reasons[code];
  return reason === undefined ? `${message}; correct it, or take it out of LABELS_FILES` : `${code}: ${reason}`;
}
