import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { AddressListFiles } from "../../adapters/files/labels/address-list-files.ts";
import { watchLabelFiles } from "../../adapters/files/labels/watch-label-files.ts";
import type { Clock } from "../../kernel/clock.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import { AddressBook, type AddressList } from "../../labels/address-book.ts";
import { LabelStore } from "../../labels/label-store.ts";
import { listAgeMs } from "../../labels/list-set.ts";
import { bundled } from "../program/package-root.ts";

export interface ListsConfig {
  readonly LISTS_FILES: readonly string[];
  readonly LABELS_FILES: readonly string[];
  readonly BUNDLED_LABELS: boolean;
  /** Milliseconds. */
  readonly LISTS_MAX_AGE: number;
}

/** The lists and labels in use. `book` changes after files have changed and were read completely. */
export interface OpenLists {
  readonly book: AddressBook;
  /** Whether newer files were refused. */
  readonly isBehind: boolean;
  /** Reads files again when they change, until `signal` aborts. Never rejects. */
  watch(signal: AbortSignal): Promise<void>;
}

const DAY_MS = 86_400_000;

/**
 * Reads every list and label that the worker screens events with, and logs them.
 *
 * @param onBook receives each book when it comes into use.
 * @throws {ConfigInvalidError} when a file cannot be read: a run without one of its lists would clear the addresses on
 * it.
 */
export async function openLists(
  config: ListsConfig,
  {
    clock,
    log,
    onBook = async () => undefined,
  }: {
    readonly clock: Clock;
    readonly log: Log;
    readonly onBook?: (book: AddressBook) => Promise<void>;
  },
): Promise<OpenLists> {
  const { LISTS_FILES: lists, LABELS_FILES: labels } = config;
  refuseSameNames([...new Set([...lists, ...labels])]);
  const files = new AddressListFiles({ lists, labels, bundled: config.BUNDLED_LABELS ? bundled.labels : [] }, clock);
  const ownOnly = operatorsOnly(log);
  const store = await LabelStore.open<AddressList, AddressBook>(files, AddressBook.steps, ownOnly, () =>
    setImmediate(),
  );
  const tell = async (): Promise<void> => {
    sayLists(store.book, config.LISTS_MAX_AGE, clock, log);
    await onBook(store.book).catch((thrown: unknown) => {
      log.warn("the set of lists is not stored in the archive", { detail: toError(thrown).message });
    });
  };
  await tell();
  const reload = async () => {
    const isExchanged = await store.reload();
    if (isExchanged) await tell();
    return isExchanged;
  };
  return {
    get book() {
      return store.book;
    },
    get isBehind() {
      return store.isBehind;
    },
    watch: (signal) => watchLabelFiles(files, reload, { clock, signal }),
  };
}

/**
 * Refuses files with the same name: verdicts, metrics and the summary name a list by its file's name. @throws
 * {ConfigInvalidError}
 */
function refuseSameNames(files: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of files.map((file) => path.basename(file))) {
    if (seen.has(name))
      throw new ConfigInvalidError(`LISTS_FILES and LABELS_FILES name two files called ${name}: rename one of them`);
    seen.add(name);
  }
}

function sayLists({ id, lists }: AddressBook, maxAgeMs: number, clock: Clock, log: Log): void {
  if (id === undefined) return;
  for (const { name, sha256, date, entries } of lists) {
    log.info("a list is in use", { lists: id, list: name, sha256, date, entries });
    const ageMs = listAgeMs({ date }, clock.now());
    if (ageMs > maxAgeMs)
      log.warn("the list is older than LISTS_MAX_AGE: get a newer one", {
        list: name,
        date,
        days: Math.floor(ageMs / DAY_MS),
      });
  }
}

/** A log of warnings only, for a command with a summary of the rest. */
export function warningsOf(log: Log): Log {
  return {
    ...quietLog,
    warn: (message, fields) => log.warn(message, fields),
    error: (message, fields) => log.error(message, fields),
  };
}

/** A log without the files that come with the program. */
function operatorsOnly(log: Log): Log {
  const shipped: ReadonlySet<unknown> = new Set(bundled.labels);
  return {
    debug: (message, fields) => log.debug(message, fields),
    info: (message, fields) => {
      if (!shipped.has(fields?.["list"])) log.info(message, fields);
    },
    warn: (message, fields) => log.warn(message, fields),
    error: (message, fields) => log.error(message, fields),
  };
}
