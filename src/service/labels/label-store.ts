import { AppError } from "../../kernel/errors.ts";
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

  private constructor(source: LabelSource, log: Log, book: LabelBook) {
    this.#source = source;
    this.#log = log;
    this.#book = book;
  }

  /** A store with its first book. @throws {ConfigInvalidError} when a list cannot be read: better no start than no labels. */
  static async open(source: LabelSource, log: Log): Promise<LabelStore> {
    return new LabelStore(source, log, bookOf(await source.load(), log));
  }

  get book(): LabelBook {
    return this.#book;
  }

  /** Reads the lists anew. @returns whether the book was exchanged; when not, the reason is in the log. */
  async reload(): Promise<boolean> {
    try {
      this.#book = bookOf(await this.#source.load(), this.#log);
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
