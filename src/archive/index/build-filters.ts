import type { ReadableStore } from "../object-store.ts";
import { linesNewestFirst, wholeLines } from "../reading/newest-first.ts";
import { readVerdict } from "../reading/read-verdict.ts";
import { KeyFilter } from "./key-filter.ts";
import { keysOf } from "./verdict-keys.ts";

/** A store that also keeps texts beside the archive. */
export interface FilterStore extends Pick<ReadableStore, "lines" | "text"> {
  putJson(key: string, json: string, signal: AbortSignal): Promise<void>;
}

/** The key of an object's filter. */
export function filterKey(objectKey: string): string {
  return `index/${objectKey.replace(/\.ndjson\.gz$/, "")}.json`;
}

/** Makes the filter of an object from its lines. A line without a verdict has no key. */
export function filterOf(name: string, lines: Uint8Array): KeyFilter {
  const keys = new Set<string>();
  for (const line of linesNewestFirst({ name, lines })) {
    const verdict = readVerdict(line);
    if (verdict !== undefined) for (const key of keysOf(verdict)) keys.add(key);
  }
  return KeyFilter.of(keys);
}

/**
 * Writes the filter of each object that has none. An object never changes, so a filter never does either.
 *
 * @returns the number of new filters.
 * @throws {StoreUnavailableError | ObjectUnreadableError}
 */
export async function buildFilters(
  store: FilterStore,
  keys: readonly string[],
  signal: AbortSignal,
  onObject: () => void,
): Promise<number> {
  let built = 0;
  for (const key of keys) {
    signal.throwIfAborted();
    const text = await store.text(filterKey(key), signal);
    if (text === undefined || KeyFilter.read(text) === undefined) {
      const lines = await wholeLines(store, key, signal);
      await store.putJson(filterKey(key), filterOf(key, lines).toJson(), signal);
      built++;
    }
    onObject();
  }
  return built;
}
