import { blocksFromEnd } from "../../adapters/files/output/blocks-from-end.ts";
import { filterKey } from "../../archive/index/build-filters.ts";
import {
  findInBlock,
  findVerdicts,
  type SearchCounts,
  type VerdictMatch,
} from "../../archive/reading/find-verdicts.ts";
import { linesNewestFirst, type VerdictBlock, wholeLines } from "../../archive/reading/newest-first.ts";
import { type ArchivedTopic, type ArchiveSource, blocksNewestFirst } from "../archive-source/archive-source.ts";

/** How an archive is searched. */
export interface Search {
  readonly spellings: readonly string[];
  /** Whether every object is read, whatever its filter says. */
  readonly isFull: boolean;
  /** Whether objects without filters are read in place of the log of a folder. An object proves more than the log. */
  readonly prefersObjects: boolean;
  readonly signal: AbortSignal;
  /** Counts objects and blocks while the search goes on. */
  readonly counts: SearchCounts;
}

/**
 * The verdicts with a key, newest first. Where `weir index` made filters, only the objects that may hold the key are
 * read. In a folder, the verdicts behind the last object come from verdicts.ndjson.
 */
export async function* searchArchive(source: ArchiveSource, search: Search): AsyncGenerator<VerdictMatch> {
  const { spellings, counts, signal, isFull, prefersObjects } = search;
  const { log, objects } = source;
  if (objects === undefined || isFull || !(prefersObjects || (await hasFilter(objects, signal)))) {
    for await (const block of blocksNewestFirst(source, signal)) {
      signal.throwIfAborted();
      counts.read++;
      yield* findInBlock(block, spellings, log === undefined).toReversed();
    }
    return;
  }
  if (log !== undefined) {
    for await (const block of behindObjects(log, objects, signal)) {
      counts.read++;
      yield* findInBlock(block, spellings, false).toReversed();
    }
  }
  yield* findVerdicts(objects.store, objects.keys, spellings, counts, signal);
}

async function hasFilter({ store, keys }: ArchivedTopic, signal: AbortSignal): Promise<boolean> {
  const [oldest = ""] = keys.slice(-1);
  return (await store.text(filterKey(oldest), signal)) !== undefined;
}

/** The part of a log that no object holds yet. An object has the very bytes of the log. */
async function* behindObjects(
  log: string,
  { store, keys: [newest = ""] }: ArchivedTopic,
  signal: AbortSignal,
): AsyncGenerator<VerdictBlock> {
  const lines = await wholeLines(store, newest, signal);
  const last = linesNewestFirst({ name: newest, lines }).next().value;
  for await (const block of blocksFromEnd(log)) {
    const all = Buffer.from(block.lines.buffer, block.lines.byteOffset, block.lines.byteLength);
    const archived = last === undefined ? -1 : all.lastIndexOf(last);
    if (archived === -1) {
      yield block;
      continue;
    }
    yield { name: block.name, lines: all.subarray(archived + (last?.length ?? 0) + 1) };
    return;
  }
}
