import { type Steps, withPauses } from "../kernel/async.ts";
import { AppError, ConfigInvalidError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { ReadList } from "./label-list.ts";
import type { LabelSource } from "./ports.ts";

/**
 * The most refused rows of one list that are logged separately; further rows are counted. A wrong file would flood the
 * log.
 */
const MAX_REFUSED_LOGGED = 20;

/** Builds the book of a store from all its lists, in steps that let other work run. */
export type MakeBook<List, Book> = (lists: readonly List[]) => Steps<Book>;

/**
 * A book of label lists that can be replaced by a newer one. The replacement happens at once, after all lists were
 * read. Until then the last good book stays. It also stays when a list cannot be read or is truncated.
 */
export class LabelStore<List extends ReadList, Book> {
  readonly #source: LabelSource<List>;
  readonly #make: MakeBook<List, Book>;
  readonly #log: Log;
  readonly #pause: () => Promise<unknown>;
  #book: Book;
  /** The sizes of the lists in use, by name, for comparison with their successors. */
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
   * Opens a store with its first book. `pause` lets other work run while a book is built.
   * @throws {ConfigInvalidError} when a list cannot be read. No start is better than no labels.
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

  /** Whether the last read was refused, so that the files are newer than the book in use. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Reads the lists again. @returns whether the book was replaced. When it was not, the log holds the reason. */
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
      this.#log.error("the changed labels were refused: the previous labels stay in use", {
        code: thrown.code,
        detail: thrown.message,
      });
      return false;
    }
  }
}

const noPause = () => Promise.resolve();

/** The size of a list. */
interface Extent {
  readonly labels: number;
  readonly endsMidLine: boolean;
}

function extentsOf(lists: readonly ReadList[]): ReadonlyMap<string, Extent> {
  return new Map(lists.map(({ name, labels, endsMidLine }) => [name, { labels: labels.length, endsMidLine }]));
}

/**
 * Refuses a list that looks truncated, because it would disable detection for the missing labels.
 * A list is refused when it ends within a line and the list in use does not. It is also refused when it holds less than
 * half of the labels in use. Only a restart accepts such a list. A cut at a line end in the second half cannot be
 * distinguished from a shorter list.
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
    log.info("a label list was read", { list: name, labels: labels.length, refused: refused.length, ...columns });
    for (const { line, detail } of refused.slice(0, MAX_REFUSED_LOGGED)) {
      log.warn("a label row was refused", { list: name, line, detail });
    }
    const unlogged = refused.length - MAX_REFUSED_LOGGED;
    if (unlogged > 0) log.warn("more label rows were refused", { list: name, count: unlogged });
  }
}
