import type { ObjectStore } from "../../archive/object-store.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { backoffMs, type Random } from "../../kernel/retry.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import { type ListSet, listSetOf } from "../../labels/list-set.ts";

/** Chosen: an outage of a bucket takes minutes. The log also has the set of lists, so it is never lost. */
const PATIENCE = { attempts: 50, baseMs: 1_000, maxMs: 300_000 };
/**
 * Longest wait of a verdict object for a set of lists. Verdicts have priority: a bucket may refuse the set alone
 * forever.
 */
const OBJECTS_WAIT_MS = 60_000;

interface JsonStore {
  putJson(key: string, json: string, signal: AbortSignal): Promise<void>;
}

/** Writes sets of lists to the archive of this process. Verdicts name a set by its id alone. */
export interface ListSetArchive {
  /** Begins to write the set of a book. Neither the start of the worker nor a verdict waits for it. */
  readonly onBook: (book: AddressBook) => Promise<void>;
  /** The store in which each object first waits for the earlier sets, for a minute at most. */
  behindSets(store: ObjectStore): ObjectStore;
}

export function listSetArchive(
  store: JsonStore,
  {
    clock,
    random,
    log,
    signal,
  }: { readonly clock: Clock; readonly random: Random; readonly log: Log; readonly signal: AbortSignal },
): ListSetArchive {
  const waited = new Set<Promise<void>>();
  const put = async ({ key, json }: ListSet, id: string | undefined): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return await store.putJson(key, json, signal);
      } catch (thrown) {
        if (signal.aborted) return;
        const detail = toError(thrown).message;
        log.warn("the set of lists is not stored in the archive yet", { lists: id, attempt, detail });
        if (attempt === PATIENCE.attempts) return;
        await clock.sleep(backoffMs(PATIENCE, attempt, random), signal).catch(() => undefined);
      }
    }
  };
  const begin = (set: ListSet, id: string | undefined): void => {
    const done = new AbortController();
    const putting = put(set, id)
      .catch((thrown: unknown) =>
        log.error("a set of lists was not archived because of a bug", { error: toError(thrown) }),
      )
      .finally(() => done.abort());
    const patience = clock.sleep(OBJECTS_WAIT_MS, AbortSignal.any([signal, done.signal])).catch(() => undefined);
    const wait: Promise<void> = Promise.race([putting, patience]).finally(() => waited.delete(wait));
    waited.add(wait);
  };
  return {
    async onBook(book) {
      const set = listSetOf(book);
      if (set !== undefined) begin(set, book.id);
    },
    behindSets: (objects) => ({
      list: (prefix, stop) => objects.list(prefix, stop),
      head: (key, stop) => objects.head(key, stop),
      lines: (key, stop) => objects.lines(key, stop),
      text: (key, stop) => objects.text(key, stop),
      async putNew(object, stop) {
        await Promise.all(waited);
        return objects.putNew(object, stop);
      },
    }),
  };
}
