import type { TopicPartition } from "../kernel/stream.ts";
import { type AuditCounts, type AuditDeps, type Problem, readable } from "./audit-finding.ts";
import { auditLines } from "./audit-lines.ts";
import { misplaced, startIn } from "./audit-place.ts";
import type { ObjectMetadata } from "./object.ts";

/** Looks at every object of a topic, partition by partition, and tells what is wrong. @throws {StoreUnavailableError} */
export async function audit(topic: string, deps: AuditDeps): Promise<AuditCounts> {
  const counts: AuditCounts = { objects: 0, verdicts: 0, decided: 0, otherPolicy: 0, compared: 0 };
  const partitions = await keysByPartition(topic, deps);
  // A partition that has lost every object has no key to tell of it.
  for (const partition of deps.topic?.positions.keys() ?? []) {
    if (!partitions.has(partition)) partitions.set(partition, []);
  }
  for (const [partition, keys] of [...partitions].sort(([a], [b]) => a - b)) {
    await auditPartition({ topic, partition }, keys, counts, deps);
  }
  return counts;
}

async function keysByPartition(topic: string, { store, signal }: AuditDeps): Promise<Map<number, string[]>> {
  const partitions = new Map<number, string[]>();
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    const partition = Number(/\/p=(\d+)\/\d{20}\.ndjson\.gz$/.exec(key)?.[1]);
    if (Number.isNaN(partition)) continue;
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
  let last: ObjectMetadata | undefined;
  for (const key of keys) {
    const metadata = await readable(key, found, () => deps.store.head(key, deps.signal));
    if (metadata === undefined) continue;
    for (const problem of misplaced(at, key, metadata.metadata, last)) found(problem);
    last = metadata.metadata;
    await auditLines(at, key, last, counts, found, deps);
    counts.objects++;
    deps.onObject(counts);
  }
  const committed = deps.topic?.positions.get(at.partition)?.committed;
  if (committed !== undefined && committed > (last?.end ?? -1) + 1) {
    const detail = `the group has archived up to ${committed - 1}, and the objects end at ${last?.end ?? "nothing"}`;
    found({ finding: "end_missing", detail });
  }
}
