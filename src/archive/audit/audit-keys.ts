import { timestamp, unixMs } from "../../kernel/clock.ts";
import type { TopicPartition } from "../../kernel/stream.ts";
import { folderOf } from "../object.ts";
import { type ReadableStore, StoreUnavailableError } from "../object-store.ts";
import type { AuditDeps } from "./audit-finding.ts";
import { dateIn, partitionIn, startIn } from "./audit-order.ts";

/** The dates under which a partition has objects, each with the start of its first object. */
export type Folders = ReadonlyMap<string, string>;

/** Days of 64 partitions for forty years. More dates are not written by an archiver, and would fill the memory. */
const MAX_FOLDERS = 1_000_000;
const DAY_MS = 86_400_000;
/**
 * The most dates that are listed again. No archiver advances over more dates during an audit, and each date costs a
 * request.
 */
const MAX_DAYS = 400;

interface Listing {
  readonly keys: AsyncIterator<string>;
  next: string;
}

/**
 * Walks over all keys of a topic once and keeps only the dates of each partition. So memory does not grow with the
 * number of objects. Keys that no archiver writes are reported.
 */
export async function foldersByPartition(
  topic: string,
  { store, signal, onFinding, onListed }: Pick<AuditDeps, "store" | "signal" | "onFinding" | "onListed">,
): Promise<Map<number, Map<string, string>>> {
  const partitions = new Map<number, Map<string, string>>();
  let [keys, folders] = [0, 0];
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    onListed(++keys);
    const partition = partitionIn(topic, key);
    if (partition === undefined) {
      onFinding({ key, finding: "alien_key", detail: "no archiver writes under such a key" });
      continue;
    }
    const dates = partitions.get(partition) ?? new Map<string, string>();
    partitions.set(partition, dates);
    const date = dateIn(key);
    const first = dates.get(date);
    if (first === undefined && ++folders > MAX_FOLDERS)
      throw new StoreUnavailableError(
        `below the prefix are more than ${MAX_FOLDERS} folders: no archiver makes so many`,
      );
    if (first === undefined || startIn(key) < first) dates.set(date, startIn(key));
  }
  return partitions;
}

/**
 * The keys of a partition by their starts, listed again date by date. A clock that was set back puts a later object
 * under an earlier date. The memory holds one page of keys for each date that overlaps other dates.
 */
export async function* keysInOrder(
  at: TopicPartition,
  folders: Folders,
  store: Pick<ReadableStore, "list">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const waiting = [...folders].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const open: Listing[] = [];
  const first = () =>
    open.reduce<Listing | undefined>((a, b) => (a === undefined || isBefore(b, a) ? b : a), undefined);
  for (;;) {
    let head = first();
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (head !== undefined && next[1] > startIn(head.next)) break;
      waiting.shift();
      const keys = keysOn(at, next[0], store, signal);
      const { done, value } = await keys.next();
      if (done !== true) open.push({ keys, next: value });
      head = first();
    }
    if (head === undefined) return;
    yield head.next;
    const { done, value } = await head.keys.next();
    if (done === true) open.splice(open.indexOf(head), 1);
    else head.next = value;
  }
}

/**
 * The keys that now lie between two objects, listed again. An object that was stored during the listing may have been
 * missed. It lies behind the listed part of one date and before the next one.
 */
export async function* keysBetween(
  at: TopicPartition,
  [before, key]: readonly [string, string],
  store: Pick<ReadableStore, "list">,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const [from = "", until = ""] = [dateIn(before), dateIn(key)].sort();
  let last = startIn(before);
  const [firstDay, lastDay] = [unixMs(from), unixMs(until)];
  for (let day = firstDay; day <= Math.min(lastDay, firstDay + MAX_DAYS * DAY_MS); day += DAY_MS) {
    for await (const each of keysOn(at, timestamp(day).slice(0, 10), store, signal)) {
      if (startIn(each) <= last || startIn(each) >= startIn(key)) continue;
      last = startIn(each);
      yield each;
    }
  }
}

async function* keysOn(
  at: TopicPartition,
  date: string,
  store: Pick<ReadableStore, "list">,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  for await (const { key } of store.list(folderOf(at, date), signal))
    if (partitionIn(at.topic, key) === at.partition) yield key;
}

function isBefore(a: Listing, b: Listing): boolean {
  const [x, y] = [startIn(a.next), startIn(b.next)];
  return x === y ? a.next < b.next : x < y;
}
