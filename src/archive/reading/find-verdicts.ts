import type { Verdict } from "../../messages/verdict.ts";
import { filterKey } from "../index/build-filters.ts";
import { KeyFilter } from "../index/key-filter.ts";
import { keysOf } from "../index/verdict-keys.ts";
import type { ReadableStore } from "../object-store.ts";
import { blocksOf, type VerdictBlock } from "./newest-first.ts";
import { readVerdict } from "./read-verdict.ts";

/** A verdict, and where it lies. */
export interface VerdictMatch {
  readonly verdict: Verdict;
  /** The key of the object, or the name of the file. */
  readonly name: string;
  /** The line in the object, from 1. Undefined in a file that is read from its end. */
  readonly line: number | undefined;
}

const NEWLINE = "\n".charCodeAt(0);

/**
 * The verdicts of a block that have one of `spellings` among their keys, in the order of their lines. Only lines with
 * the text are parsed.
 *
 * @param isWhole Whether the block has all lines of its object, so that line numbers count from its beginning.
 */
export function findInBlock(
  { name, lines }: VerdictBlock,
  spellings: readonly string[],
  isWhole: boolean,
): VerdictMatch[] {
  const all = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  const starts = new Set<number>();
  for (const spelling of spellings) {
    const needle = Buffer.from(JSON.stringify(spelling));
    for (let at = all.indexOf(needle); at !== -1; ) {
      const start = all.lastIndexOf(NEWLINE, at) + 1;
      starts.add(start);
      const end = all.indexOf(NEWLINE, at);
      at = end === -1 ? -1 : all.indexOf(needle, end);
    }
  }
  const found: VerdictMatch[] = [];
  let [line, counted] = [1, 0];
  for (const start of [...starts].sort((a, b) => a - b)) {
    const end = all.indexOf(NEWLINE, start);
    const verdict = readVerdict(all.subarray(start, end === -1 ? all.length : end));
    if (verdict === undefined || !keysOf(verdict).some((key) => spellings.includes(key))) continue;
    line += lineEndsIn(all.subarray(counted, start));
    counted = start;
    found.push({ verdict, name, line: isWhole ? line : undefined });
  }
  return found;
}

function lineEndsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** How many objects a search read, and how many it passed over by their filters. */
export interface SearchCounts {
  read: number;
  passedOver: number;
}

/** Filters that are requested at once. Chosen: as many requests as a bucket answers in parallel without refusals. */
const AT_ONCE = 32;

/**
 * The verdicts with a key, newest object first. An object whose filter denies the key is not read. An object without a
 * filter is read.
 *
 * @throws {StoreUnavailableError | ObjectUnreadableError}
 */
export async function* findVerdicts(
  store: Pick<ReadableStore, "lines" | "text">,
  keys: readonly string[],
  spellings: readonly string[],
  counts: SearchCounts,
  signal: AbortSignal,
): AsyncGenerator<VerdictMatch> {
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const some = keys.slice(from, from + AT_ONCE);
    const filters = await Promise.all(some.map((key) => store.text(filterKey(key), signal)));
    const wanted = some.filter((_, i) => mayHold(filters[i], spellings));
    counts.passedOver += some.length - wanted.length;
    for await (const block of blocksOf(store, wanted, signal)) {
      counts.read++;
      yield* findInBlock(block, spellings, true).toReversed();
    }
  }
}

function mayHold(filter: string | undefined, spellings: readonly string[]): boolean {
  const read = filter === undefined ? undefined : KeyFilter.read(filter);
  return read === undefined || spellings.some((spelling) => read.mayHave(spelling));
}
