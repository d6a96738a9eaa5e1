import type { TopicPartition } from "../../kernel/stream.ts";
import { chainSha256, type StoredObject } from "../object.ts";
import type { Problem } from "./audit-finding.ts";

/** The object before another object, nothing, or an object with an unreadable content. */
export type Before = StoredObject | "nothing" | "unknown";

/**
 * Verifies the position of an object: by its key, and relative to the object before. `earliest` is the first offset of
 * the topic, which messages name by `called`. Without `earliest`, a late first object cannot be detected.
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
    const detail = `the metadata says that the object holds ${metadata.topic}/${metadata.partition} from ${start} on`;
    yield { key, finding: "key_mismatch", detail };
  }
  // The unreadable object has a finding of its own.
  if (last === "unknown") return;
  if (last === "nothing") {
    if (previous !== "")
      yield { key, finding: "beginning_missing", detail: "the first object names a previous object" };
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
  if (start <= lastEnd) yield { key, finding: "overlap", detail: `${start} to ${Math.min(end, lastEnd)} exist twice` };
  if (previous !== chainSha256(last)) {
    yield {
      key,
      finding: "chain_broken",
      detail: "the hash of the previous object is not the hash that this object names",
    };
  }
}

/** The padded start in a key. Padded texts sort like the numbers. */
export function startIn(key: string): string {
  return key.slice(-"00000000000000000000.ndjson.gz".length, -".ndjson.gz".length);
}

function padded(start: number): string {
  return String(start).padStart(20, "0");
}

/** The partition of an object's key. Undefined for a key that no archiver writes. */
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
