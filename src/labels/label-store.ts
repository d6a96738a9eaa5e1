import { AppError, ConfigInvalidError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { type Steps, withPauses } from "../kernel/steps.ts";
import type { ReadList } from "./label-list.ts";
import type { LabelSource } from "./ports.ts";

/** Refused rows of one list that are logged one by one; the rest is a count. A wrong file would flood the log. */
const MAX_REFUSED_LOGGED = 20;

/** Makes what a store keeps from all its lists, in steps that let other work have a turn. */
export type MakeBook<List, Book> = (lists: readonly List[]) => Steps<Book>;

/**
 * The book made of label lists, and its exchange for a newer one. The book changes in one step, when all lists have been
 * read. Until then, and when any list cannot be read or is cut off, the last good one stays.
 */
export class LabelStore<List extends ReadList, Book> {
  readonly #source: LabelSource<List>;
  readonly #make: MakeBook<List, Book>;
  readonly #log: Log;
  readonly #pause: () => Promise<unknown>;
  #book: Book;
  /** The lists in use, by name, as far as their successors are measured by them. */
  #extents: ReadonlyMap<string, Extent>;
  #isBehind = false;

  private constructor(
    source: LabelSource<List>,
    make: MakeBook<List, Book>,
    { log, pause, book, lists }: { log: Log; pause: () => Promise<unknown>; book: Book; lists: readonly List[] },
  ) {
    this.#source = source;
    this.#make = make;
    this.#log = log;
    this.#pause = pause;
    this.#book = book;
    this.#extents = extentsOf(lists);
  }

  /**
   * A store with its first book. `pause` lets others have a turn while a book is made.
   * @throws {ConfigInvalidError} when a list cannot be read: better no start than no labels.
   */
  static async open<List extends ReadList, Book>(
    source: LabelSource<List>,
    make: MakeBook<List, Book>,
    log: Log,
    pause: () => Promise<unknown> = noPause,
  ): Promise<LabelStore<List, Book>> {
    const lists = await source.load();
    logRead(lists, log);
    return new LabelStore(source, make, { log, pause, book: await withPauses(make(lists), pause), lists });
  }

  get book(): Book {
    return this.#book;
  }

  /** Whether what was read last was refused, so that the files are newer than what is in use. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Reads the lists anew. @returns whether the book was exchanged; when not, the reason is in the log. */
  async reload(): Promise<boolean> {
    try {
      const lists = await this.#source.load();
      for (const list of lists) refuseCutOff(list, this.#extents.get(list.name));
      logRead(lists, this.#log);
      this.#book = await withPauses(this.#make(lists), this.#pause);
      this.#extents = extentsOf(lists);
      this.#isBehind = false;
      return true;
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      this.#isBehind = true;
      this.#log.error("labels not reloaded, the previous ones stay in use", {
        code: thrown.code,
        detail: thrown.message,
      });
      return false;
    }
  }
}

const noPause = () => Promise.resolve();

/** How much of a list there is. */
interface Extent {
  readonly labels: number;
  readonly endsMidLine: boolean;
}

function extentsOf(lists: readonly ReadList[]): ReadonlyMap<string, Extent> {
  return new Map(lists.map(({ name, labels, endsMidLine }) => [name, { labels: labels.length, endsMidLine }]));
}

/**
 * Half a file must not take the place of a whole one: detection would stop for what it lost. A list is refused that ends
 * within a line where the one in use does not, or that holds less than half of its labels; only a restart takes it as it
 * is. What is cut at a line end behind the first half cannot be told from a shorter list.
 */
function refuseCutOff({ name, labels, endsMidLine }: ReadList, inUse: Extent | undefined): void {
  if (inUse === undefined) return;
  const why = "it may be caught while it is written";
  if (endsMidLine && !inUse.endsMidLine) {
    throw new ConfigInvalidError(`${name} ends within a line: ${why}; end its last line with a line break`);
  }
  if (labels.length * 2 >= inUse.labels) return;
  const lost = `holds ${labels.length} labels where it held ${inUse.labels}`;
  throw new ConfigInvalidError(`${name} ${lost}: ${why}; complete it, or restart to use it as it is`);
}

function logRead(lists: readonly ReadList[], log: Log): void {
  for (const { name, labels, refused, unread } of lists) {
    const columns = unread.length === 0 ? {} : { unread };
    log.info("label list read", { list: name, labels: labels.length, refused: refused.length, ...columns });
    for (const { line, detail } of refused.slice(0, MAX_REFUSED_LOGGED)) {
      log.warn("label row refused", { list: name, line, detail });
    }
    const unlogged = refused.length - MAX_REFUSED_LOGGED;
    if (unlogged > 0) log.warn("more label rows refused", { list: name, count: unlogged });
  }
}
