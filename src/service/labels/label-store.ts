import { AppError, ConfigInvalidError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { LabelSource } from "../ports.ts";
import { LabelBook } from "./label-book.ts";
import type { LabelList } from "./label-list.ts";

/** Refused rows of one list that are logged one by one; the rest is a count. A wrong file would flood the log. */
const MAX_REFUSED_LOGGED = 20;

/**
 * The label book in use, and its exchange for a newer one. The book changes in one step, when all lists have been
 * read; until then, and when any list cannot be read, the last good one stays.
 */
export class LabelStore {
  readonly #source: LabelSource;
  readonly #log: Log;
  #book: LabelBook;
  /** Labels of each list in use, by its name. */
  #sizes: ReadonlyMap<string, number>;

  private constructor(source: LabelSource, log: Log, lists: readonly LabelList[]) {
    this.#source = source;
    this.#log = log;
    this.#book = bookOf(lists, log);
    this.#sizes = sizesOf(lists);
  }

  /** A store with its first book. @throws {ConfigInvalidError} when a list cannot be read: better no start than no labels. */
  static async open(source: LabelSource, log: Log): Promise<LabelStore> {
    return new LabelStore(source, log, await source.load());
  }

  get book(): LabelBook {
    return this.#book;
  }

  /** Reads the lists anew. @returns whether the book was exchanged; when not, the reason is in the log. */
  async reload(): Promise<boolean> {
    try {
      const lists = await this.#source.load();
      this.#refuseVanished(lists);
      this.#book = bookOf(lists, this.#log);
      this.#sizes = sizesOf(lists);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#log.error("labels not reloaded, the previous ones stay in use", {
        code: thrown.code,
        detail: thrown.message,
      });
      return false;
    }
  }

  /** A list that held labels and holds none is a file caught while it is written, or ruined; detection must not stop. */
  #refuseVanished(lists: readonly LabelList[]): void {
    const vanished = lists.find(({ name, labels }) => labels.length === 0 && (this.#sizes.get(name) ?? 0) > 0);
    if (vanished === undefined) return;
    throw new ConfigInvalidError(`${vanished.name} has no label left; restart to use it as it is`);
  }
}

function sizesOf(lists: readonly LabelList[]): ReadonlyMap<string, number> {
  return new Map(lists.map(({ name, labels }) => [name, labels.length]));
}

function bookOf(lists: readonly LabelList[], log: Log): LabelBook {
  for (const { name, labels, refused } of lists) {
    log.info("label list read", { list: name, labels: labels.length, refused: refused.length });
    for (const { line, detail } of refused.slice(0, MAX_REFUSED_LOGGED)) {
      log.warn("label row refused", { list: name, line, detail });
    }
    const unlogged = refused.length - MAX_REFUSED_LOGGED;
    if (unlogged > 0) log.warn("more label rows refused", { list: name, count: unlogged });
  }
  return LabelBook.of(lists);
}
