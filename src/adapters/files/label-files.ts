import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { withPauses } from "../../kernel/steps.ts";
import { type LabelList, labelListSteps, type SourceRow } from "../../service/labels/label-list.ts";
import type { LabelSource } from "../../service/ports.ts";
import { csvRows, jsonRows } from "./label-rows.ts";

/** A million labels are about 100 MB; more than this in one file is a wrong path rather than a list. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const readers: Readonly<Record<string, (text: string) => Iterable<SourceRow>>> = { ".csv": csvRows, ".json": jsonRows };

/** Label lists in CSV and JSON files, one list a file, in the order of `paths`. */
export class LabelFiles implements LabelSource {
  readonly #paths: readonly string[];
  #loadedStamp: string | undefined;
  /** What the last look found. */
  #seenStamp: string | undefined;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  async load(): Promise<readonly LabelList[]> {
    // Taken before the contents: a file that changes while it is read counts as changed afterwards.
    this.#loadedStamp = await this.#stamp();
    return Promise.all(this.#paths.map(readList));
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

async function readList(file: string): Promise<LabelList> {
  const rowsOf = readers[path.extname(file).toLowerCase()];
  if (rowsOf === undefined) {
    throw new ConfigInvalidError(`label file ${file}: name it .csv or .json, its extension says how it is read`);
  }
  const text = await readText(file);
  // JSON that is cut off does not parse, so its last line break says nothing.
  const endsMidLine = rowsOf === csvRows && !text.endsWith("\n") && !text.endsWith("\r");
  return withPauses(labelListSteps(file, rowsIn(file, text, rowsOf), endsMidLine), () => setImmediate());
}

function rowsIn(file: string, text: string, rowsOf: (text: string) => Iterable<SourceRow>): Iterable<SourceRow> {
  try {
    return rowsOf(text);
  } catch (thrown) {
    throw new ConfigInvalidError(`label file ${file}: ${toError(thrown).message}`, {}, { cause: thrown });
  }
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size <= MAX_FILE_BYTES) return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`label file ${file}: ${unreadable(toError(thrown))}`, {}, { cause: thrown });
  }
  throw new ConfigInvalidError(`label file ${file}: larger than ${MAX_FILE_BYTES} bytes; split it into several files`);
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
