import { ObjectUnreadableError, type ReadableStore } from "../object-store.ts";

/** The dates on which the first verdict of an object was written, UTC, both inclusive, as in 2026-01-31. */
export interface DateRange {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Lines of verdicts that lie together, such as those of one object. */
export interface VerdictBlock {
  /** The key of the object, or the name of the file. */
  readonly name: string;
  /** Whole lines, oldest first. Each line but the last has a line end. */
  readonly lines: Uint8Array;
}

/** An object of a partition, by its key. */
interface KeyParts {
  readonly key: string;
  readonly date: string;
  readonly partition: string;
  readonly start: string;
}

/** DATE/p=PARTITION/START behind the prefix of a topic. Source: src/archive/object.ts. */
const KEY = /^(\d{4}-\d\d-\d\d)\/p=(\d{5,})\/(\d{20})\.ndjson\.gz$/;

/**
 * The keys of a topic's objects that may hold verdicts of these days, partition by partition, newest first. An object is
 * filed under the day of its first verdict and may hold verdicts of any later day. So the last object before `from` is
 * among the keys too.
 *
 * @throws {StoreUnavailableError}
 */
export async function keysNewestFirst(
  store: Pick<ReadableStore, "list">,
  topic: string,
  { from = "", until = "9999-12-31" }: DateRange,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const prefix = `v1/${topic}/dt=`;
  const found: KeyParts[] = [];
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    const [, date = "", partition, start] = key.startsWith(prefix) ? (KEY.exec(key.slice(prefix.length)) ?? []) : [];
    if (partition === undefined || start === undefined || date > until) continue;
    found.push({ key, date, partition, start });
  }
  found.sort(byPartitionNewestFirst);
  return found.filter(({ date }, i) => date >= from || isNewestBefore(found, i, from)).map(({ key }) => key);
}

/** Whether this is the newest of its partition's objects that begin before `from`. */
function isNewestBefore(found: readonly KeyParts[], i: number, from: string): boolean {
  const newer = found[i - 1];
  return newer === undefined || newer.partition !== found[i]?.partition || newer.date >= from;
}

function byPartitionNewestFirst(a: KeyParts, b: KeyParts): number {
  if (a.partition !== b.partition) return a.partition < b.partition ? -1 : 1;
  return a.start > b.start ? -1 : 1;
}

/**
 * The content of objects in the order of `keys`. The lines of an object are gone when the caller takes the next.
 *
 * @param isAhead whether the next object is unpacked meanwhile, on another thread, so that two are in memory.
 *
 * @throws {StoreUnavailableError | ObjectUnreadableError}
 */
export async function* blocksOf(
  store: Pick<ReadableStore, "lines">,
  keys: readonly string[],
  signal: AbortSignal,
  isAhead = false,
): AsyncGenerator<VerdictBlock> {
  let next: Promise<Uint8Array> | undefined;
  for (const [i, name] of keys.entries()) {
    const lines = await (next ?? wholeLines(store, name, signal));
    const following = isAhead ? keys[i + 1] : undefined;
    next = following === undefined ? undefined : wholeLines(store, following, signal);
    // The failure shows when the caller comes to that object.
    next?.catch(() => undefined);
    yield { name, lines };
    release(lines);
  }
}

/** @throws {ObjectUnreadableError} for a listed object without lines: its verdicts would be missing without a word. */
export async function wholeLines(
  store: Pick<ReadableStore, "lines">,
  key: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const lines = await store.lines(key, signal);
  if (lines !== undefined) return lines;
  throw new ObjectUnreadableError(`the object ${key} is listed, and its lines are gone: run weir audit`);
}

/** Smaller buffers may share their memory with others. */
const OWN_BYTES = 1024 * 1024;

/** Frees the memory at once. The collector would let several objects pile up. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= OWN_BYTES && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

const NEWLINE = "\n".charCodeAt(0);

/**
 * Iterates line by line without a copy, because an object may have a quarter of a GiB. Text without a line end is no
 * line.
 */
export function* linesOf(bytes: Uint8Array): Generator<Buffer, undefined> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, from)) {
    yield all.subarray(from, end);
    from = end + 1;
  }
}

/** The lines of a block, last line first, without a copy. Empty lines are left out. */
export function* linesNewestFirst({ lines }: VerdictBlock): Generator<Buffer, undefined> {
  const all = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  let end = all.length;
  while (end > 0) {
    const before = end === 0 ? -1 : all.lastIndexOf(NEWLINE, end - 1);
    if (before + 1 < end) yield all.subarray(before + 1, end);
    end = before;
  }
}
