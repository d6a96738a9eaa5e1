import type { TopicPartition } from "../../kernel/stream.ts";
import { chainSha256, type StoredObject } from "../object.ts";
import type { Problem } from "./audit-finding.ts";

/** What came before an object; nothing at all; or an object of which it is not known what it says. */
export type Before = StoredObject | "nothing" | "unknown";

/**
 * Whether an object is where it belongs: by its key, and after the one before. `earliest` is where the topic begins, however
 * that is `called`; without it nobody knows whether a first object should begin sooner.
 */
export function* misplaced(
  { topic, partition }: TopicPartition,
  { key, metadata }: StoredObject,
  last: Before,
  earliest = Number.POSITIVE_INFINITY,
  called = "the topic",
): Iterable<Problem> {
  const { start, end, previous_sha256: previous } = metadata;
  if (metadata.topic !== topic || metadata.partition !== partition || startIn(key) !== padded(start)) {
    const detail = `it says that it holds ${metadata.topic}/${metadata.partition} from ${start} on`;
    yield { key, finding: "key_mismatch", detail };
  }
  // That one was told of by itself.
  if (last === "unknown") return;
  if (last === "nothing") {
    if (previous !== "") yield { key, finding: "beginning_missing", detail: "it names an object before it" };
    else if (earliest < start) {
      const missing = { from: earliest, until: start - 1 };
      const detail = `${called} holds ${missing.from} to ${missing.until}, and no object does`;
      yield { key, finding: "beginning_missing", detail, missing };
    }
    return;
  }
  const { end: lastEnd } = last.metadata;
  if (start > lastEnd + 1) {
    const missing = { from: lastEnd + 1, until: start - 1 };
    yield { key, finding: "gap", detail: `${missing.from} to ${missing.until} are missing`, missing };
  }
  if (start <= lastEnd)
    yield { key, finding: "overlap", detail: `${start} to ${Math.min(end, lastEnd)} are there twice` };
  if (previous !== chainSha256(last)) {
    yield { key, finding: "chain_broken", detail: "it names another hash than that of the object before it" };
  }
}

/** The padded start in a key: as texts they sort as the numbers do. */
export function startIn(key: string): string {
  return key.slice(-"00000000000000000000.ndjson.gz".length, -".ndjson.gz".length);
}

function padded(start: number): string {
  return String(start).padStart(20, "0");
}

/** The partition of an object's key; undefined for a key that no archiver writes. */
export function partitionIn(topic: string, key: string): number | undefined {
  const folders = `v1/${topic}/`;
  const rest = key.startsWith(folders) ? key.slice(folders.length) : "";
  const digits = /^dt=\d{4}-\d{2}-\d{2}\/p=(\d{5,})\/\d{20}\.ndjson\.gz$/.exec(rest)?.[1];
  if (digits === undefined) return undefined;
  const partition = Number(digits);
  return Number.isSafeInteger(partition) && String(partition).padStart(5, "0") === digits ? partition : undefined;
}

/** The date in a key: YYYY-MM-DD. */
export function dateIn(key: string): string {
  return /\/dt=([^/]*)\//.exec(key)?.[1] ?? "";
}
