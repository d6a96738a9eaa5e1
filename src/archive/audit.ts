import type { TopicPartition } from "../kernel/stream.ts";
import { type AuditCounts, type AuditDeps, type Problem, readable } from "./audit-finding.ts";
import { auditLines } from "./audit-lines.ts";
import { type Before, misplaced, partitionIn, startIn } from "./audit-place.ts";
import type { ObjectMetadata } from "./object.ts";
import { hashIn } from "./where-to-begin.ts";

/** Looks at every object of a topic, partition by partition, and tells what is wrong. @throws {StoreUnavailableError} */
export async function audit(topic: string, deps: AuditDeps): Promise<AuditCounts> {
  const counts: AuditCounts = {
    objects: 0,
    verdicts: 0,
    decided: 0,
    otherPolicy: 0,
    missingPolicies: new Map(),
    compared: 0,
  };
  const partitions = await keysByPartition(topic, deps);
  // Another bucket, prefix or topic than the archiver's would otherwise be as clean as a whole archive.
  if (partitions.size === 0) {
    deps.onFinding({ finding: "nothing_archived", detail: `there is no object of ${topic} below the prefix` });
  }
  // A partition that has lost every object has no key to tell of it.
  for (const partition of deps.topic?.positions.keys() ?? []) {
    if (!partitions.has(partition)) partitions.set(partition, []);
  }
  for (const [partition, keys] of [...partitions].sort(([a], [b]) => a - b)) {
    await auditPartition({ topic, partition }, keys, counts, deps);
  }
  // What was not decided again was not looked at: that is no clean audit.
  for (const [policy, verdicts] of counts.missingPolicies) {
    const detail = `${verdicts} of the verdicts were decided by ${policy}, which is not at hand`;
    deps.onFinding({ finding: "policy_missing", detail });
  }
  return counts;
}

async function keysByPartition(topic: string, { store, signal, onFinding }: AuditDeps): Promise<Map<number, string[]>> {
  const partitions = new Map<number, string[]>();
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    const partition = partitionIn(topic, key);
    if (partition === undefined) {
      onFinding({ key, finding: "alien_key", detail: "no archiver writes under such a key" });
      continue;
    }
    const keys = partitions.get(partition);
    if (keys === undefined) partitions.set(partition, [key]);
    else keys.push(key);
  }
  // Within a partition by their starts: a clock that was set back puts a later object under an earlier date.
  for (const keys of partitions.values()) keys.sort((a, b) => (startIn(a) < startIn(b) ? -1 : 1));
  return partitions;
}

async function auditPartition(
  at: TopicPartition,
  keys: readonly string[],
  counts: AuditCounts,
  deps: AuditDeps,
): Promise<void> {
  const found = (problem: Problem) => deps.onFinding({ partition: at.partition, ...problem });
  let last: Before = "nothing";
  const audited = async (key: string) => {
    const object = await readable(key, found, () => deps.store.head(key, deps.signal));
    if (object === undefined) {
      last = "unknown";
      return;
    }
    const { metadata } = object;
    for (const problem of misplaced(at, key, metadata, last)) found(problem);
    for (const problem of otherThanCommitted(at, key, metadata, deps)) found(problem);
    last = metadata;
    await auditLines(at, key, metadata, counts, found, deps);
    counts.objects++;
    deps.onObject(counts);
  };
  for (const [i, key] of keys.entries()) {
    for (const late of await keysBefore(at, key, keys[i - 1], last, deps)) await audited(late);
    await audited(key);
  }
  for (const problem of uncommitted(at, last, deps)) found(problem);
}

/**
 * What lies between two objects that do not touch, listed again: objects stored while the keys were listed may have been
 * behind the listing under one date, and before it under the next.
 */
async function keysBefore(
  { topic, partition }: TopicPartition,
  key: string,
  before: string | undefined,
  last: Before,
  { store, signal }: AuditDeps,
): Promise<readonly string[]> {
  if (before === undefined || typeof last === "string" || Number(startIn(key)) <= last.end + 1) return [];
  const late: string[] = [];
  for await (const { key: each } of store.list(`v1/${topic}/`, signal)) {
    const start = startIn(each);
    if (partitionIn(topic, each) === partition && start > startIn(before) && start < startIn(key)) late.push(each);
  }
  return late.sort((a, b) => (startIn(a) < startIn(b) ? -1 : 1));
}

/** The group's commit is the one hash that stands outside of the store: of the object that ends right before it. */
function* otherThanCommitted(
  { partition }: TopicPartition,
  key: string,
  { end, sha256 }: ObjectMetadata,
  { topic }: AuditDeps,
): Iterable<Problem> {
  const position = topic?.positions.get(partition);
  if (position?.committed !== end + 1) return;
  const hash = hashIn(position.metadata);
  if (hash !== undefined && hash !== sha256) {
    yield { key, finding: "commit_mismatch", detail: "the group has committed another hash than this object's" };
  }
}

function* uncommitted({ partition }: TopicPartition, last: Before, { topic }: AuditDeps): Iterable<Problem> {
  const position = topic?.positions.get(partition);
  if (position === undefined) return;
  const { committed, earliest, end } = position;
  if (committed === undefined && end > earliest) {
    const detail = `the topic holds ${earliest} to ${end - 1}, and the archive's group has committed nothing`;
    yield { finding: "nothing_committed", detail };
  }
  // Where the last object ends cannot be said when it cannot be read.
  if (committed === undefined || last === "unknown") return;
  const lastEnd = last === "nothing" ? undefined : last.end;
  if (committed > (lastEnd ?? -1) + 1) {
    const detail = `the group has archived up to ${committed - 1}, and the objects end at ${lastEnd ?? "nothing"}`;
    yield { finding: "end_missing", detail };
  }
}
