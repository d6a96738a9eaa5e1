import { stat } from "node:fs/promises";
import type { ReadList } from "../../../labels/label-list.ts";
import type { LabelSource } from "../../../labels/ports.ts";

/** Lists in CSV and JSON files, one list a file, in the order of `paths`. `read` makes a list of one file. */
export class ListFiles<List extends ReadList> implements LabelSource<List> {
  readonly #paths: readonly string[];
  readonly #read: (path: string) => Promise<List>;
  #loadedStamp: string | undefined;
  /** The state of the files at the last look. */
  #seenStamp: string | undefined;

  constructor(paths: readonly string[], read: (path: string) => Promise<List>) {
    this.#paths = paths;
    this.#read = read;
  }

  async load(): Promise<readonly List[]> {
    // The stamp is taken before the contents: a file that changes while it is read counts as changed afterwards.
    this.#loadedStamp = await this.#stamp();
    const lists: List[] = [];
    // One file after the other: parallel reads would block the thread for the sum of their pieces.
    for (const path of this.#paths) lists.push(await this.#read(path));
    return lists;
  }

  /**
   * Whether any file differs, by inode, size or modification time, from its state at the last `load`. The answer is
   * true only when no file has changed since the previous call: a file that is still being written is not read yet.
   */
  async changedAndSettled(): Promise<boolean> {
    const stamp = await this.#stamp();
    const isSettled = stamp === this.#seenStamp;
    this.#seenStamp = stamp;
    return isSettled && stamp !== this.#loadedStamp;
  }

  /** Counts the files as changed, so that they are loaded again although they are unchanged. */
  forgetLoaded(): void {
    this.#loadedStamp = undefined;
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
    // An absent or unreadable file: `load` reports it. Its return is a change.
    return "absent";
  }
}
