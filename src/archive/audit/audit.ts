import type { TopicPartition } from "../../kernel/stream.ts";
import { firstUncommitted } from "../backlog/backlog.ts";
import { chainSha256, type StoredObject } from "../object.ts";
import { hashIn } from "../writer/where-to-begin.ts";
import {
  type AuditCounts,
  type AuditDeps,
  type AuditFinding,
  type Problem,
  type ReportedLoss,
  readable,
} from "./audit-finding.ts";
import { type Folders, foldersByPartition, keysBetween, keysInOrder } from "./audit-keys.ts";
import { auditLines } from "./audit-lines.ts";
import { auditLists } from "./audit-lists.ts";
import { type Before, misplaced, startIn } from "./audit-order.ts";
import { auditVersions } from "./audit-versions.ts";

/**
 * Audits every object of a topic, partition by partition, and reports defects. The memory holds one object, one page of
 * keys, and the dates of each partition.
 *
 * @throws {StoreUnavailableError}
 */
export async function audit(topic: string, deps: AuditDeps): Promise<AuditCounts> {
  const counts: AuditCounts = {
    objects: 0,
    verdicts: 0,
    decided: 0,
    otherPolicy: 0,
    policies: new Map(),
    missingPolicies: new Map(),
    listSets: new Map(),
    strayLists: new Map(),
    spelledOut: 0,
    compared: 0,
    acknowledged: 0,
    anchored: 0,
    waiting: 0,
  };
  const partitions = await foldersByPartition(topic, deps);
  // Without this finding, the audit of a wrong bucket, prefix or topic would look as clean as a complete archive.
  if (partitions.size === 0 && !isEmpty(deps.topic)) {
    deps.onFinding({ finding: "nothing_archived", detail: `there is no object of ${topic} below the prefix` });
  }
  if (deps.versioned !== undefined) {
    for (const prefix of [`v1/${topic}/`, deps.listSets.folder])
      await auditVersions(prefix, deps.versioned, deps.signal, deps.onFinding);
  }
  // A partition that lost all its objects has no key that would reveal it.
  for (const partition of deps.topic?.positions.keys() ?? []) {
    if (!partitions.has(partition)) partitions.set(partition, new Map());
  }
  for (const [partition, folders] of [...partitions].sort(([a], [b]) => a - b)) {
    // There is nothing to compare these objects with. Any writer of the bucket could have made them up.
    if (deps.topic?.positions.has(partition) === false) {
      const detail = "the topic has no such partition, and the bucket holds objects of it";
      deps.onFinding({ partition, finding: "partition_unknown", detail });
    }
    await auditPartition({ topic, partition }, folders, counts, deps);
  }
  // Verdicts without a repeated decision were not verified, so the audit is not clean.
  for (const [policy, verdicts] of counts.missingPolicies) {
    const detail = `${verdicts} of the verdicts were decided by ${policy}, which is not at hand`;
    deps.onFinding({ finding: "policy_missing", detail });
  }
  await auditLists(counts, deps);
  return counts;
}

/** An empty topic may have had records before. */
function isEmpty(topic: AuditDeps["topic"]): boolean {
  return topic?.wholeLog !== undefined && topic.positions.values().every(({ end }) => end === 0);
}

async function auditPartition(
  at: TopicPartition,
  folders: Folders,
  counts: AuditCounts,
  deps: AuditDeps,
): Promise<void> {
  const found = (problem: Problem) => {
    const finding = { partition: at.partition, ...problem };
    const isKnown = isAmong(finding, deps.knownLosses);
    if (isKnown) counts.acknowledged++;
    (isKnown ? deps.onKnown : deps.onFinding)(finding);
  };
  let last: Before = "nothing";
  let isAnchored = false;
  const audited = async (key: string) => {
    const object = await readable(key, found, () => deps.store.head(key, deps.signal));
    if (object === undefined) {
      last = "unknown";
      return;
    }
    const begins = deps.topic?.positions.get(at.partition)?.earliest;
    for (const problem of misplaced(at, object, last, begins, deps.topic?.wholeLog)) found(problem);
    for (const problem of otherThanCommitted(at, object, deps)) found(problem);
    isAnchored ||= isHeldByCommit(at, object, deps);
    last = object;
    await auditLines(at, key, object.metadata, counts, found, deps);
    counts.objects++;
    deps.onObject(counts);
  };
  let before: string | undefined;
  for await (const key of keysInOrder(at, folders, deps.store, deps.signal)) {
    if (before !== undefined && typeof last !== "string" && Number(startIn(key)) > endOf(last) + 1) {
      for await (const late of keysBetween(at, [before, key], deps.store, deps.signal)) await audited(late);
    }
    await audited(key);
    before = key;
  }
  for (const problem of uncommitted(at, last, deps)) found(problem);
  counts.waiting += waitingAfter(at, last, deps);
  if (isAnchored) counts.anchored++;
  else if (before !== undefined) for (const problem of unanchored(at, last, deps)) found(problem);
}

function isAmong({ partition, missing }: AuditFinding, losses: readonly ReportedLoss[]): boolean {
  if (missing === undefined) return false;
  const { from, until } = missing;
  return losses.some((loss) => loss.partition === partition && loss.from === from && loss.until === until);
}

/** The number of offsets in the topic beyond the last object and the commit. No archiver has reached them yet. */
function waitingAfter({ partition }: TopicPartition, last: Before, { topic }: AuditDeps): number {
  const position = topic?.positions.get(partition);
  if (position === undefined || topic?.wholeLog !== undefined) return 0;
  const stored = typeof last === "string" ? 0 : endOf(last) + 1;
  return Math.max(0, position.end - Math.max(stored, firstUncommitted(position)));
}

/** The compiler does not see the assignment to `last`. */
function endOf(last: StoredObject): number {
  return last.metadata.end;
}

/**
 * The group's commit is the only hash outside the store. It covers the object that ends right before it, and thereby
 * every earlier object. It never lies inside an object.
 */
function* otherThanCommitted(
  { partition }: TopicPartition,
  object: StoredObject,
  { topic }: AuditDeps,
): Iterable<Problem> {
  const { key, metadata } = object;
  const commit = commitOf(partition, topic);
  if (commit === undefined) return;
  const { committed, hash } = commit;
  if (metadata.start < committed && committed <= metadata.end) {
    const detail = `the group has committed ${committed}, where no object began or ended`;
    yield { key, finding: "commit_mismatch", detail };
  } else if (committed === metadata.end + 1 && hash !== chainSha256(object)) {
    yield { key, finding: "commit_mismatch", detail: "the group has committed another hash than this object's" };
  }
}

/** Whether the commit covers this object: the object ends at the commit, or the commit lies inside it. */
function isHeldByCommit({ partition }: TopicPartition, { metadata }: StoredObject, { topic }: AuditDeps): boolean {
  const commit = commitOf(partition, topic);
  return commit !== undefined && metadata.start < commit.committed && commit.committed <= metadata.end + 1;
}

/** The committed offset of a partition, with the hash of the object before it. */
function commitOf(partition: number, topic: AuditDeps["topic"]) {
  const { committed, metadata } = topic?.positions.get(partition) ?? {};
  const hash = metadata === undefined ? undefined : hashIn(metadata);
  return committed === undefined || hash === undefined ? undefined : { committed, hash };
}

/** Without the hash in the commit, all objects of a partition may have been replaced by a new chain. */
function* unanchored({ partition }: TopicPartition, last: Before, { topic }: AuditDeps): Iterable<Problem> {
  const position = topic?.positions.get(partition);
  if (position === undefined || topic?.wholeLog !== undefined) return;
  const { committed, metadata, earliest, end } = position;
  const lastEnd = typeof last === "string" ? undefined : last.metadata.end;
  // A group without a commit, and a group that is past the last object, have findings of their own.
  if (committed === undefined ? end > earliest : lastEnd !== undefined && committed > lastEnd + 1) return;
  let why = `the group has committed ${committed}, where no object ends`;
  if (committed === undefined) why = "the archive's group has committed nothing";
  else if (hashIn(metadata) === undefined) why = `the group's commit, ${committed}, has no hash with it`;
  yield { finding: "not_anchored", detail: `${why}: only the bucket itself vouches for its objects` };
}

function* uncommitted({ partition }: TopicPartition, last: Before, { topic }: AuditDeps): Iterable<Problem> {
  const position = topic?.positions.get(partition);
  if (position === undefined) return;
  const { committed, earliest, end } = position;
  if (topic?.wholeLog !== undefined) {
    yield* unarchived(topic.wholeLog, last, end);
    return;
  }
  if (committed === undefined && end > earliest) {
    const detail = `the topic holds ${earliest} to ${end - 1}, and the archive's group has committed nothing`;
    yield { finding: "nothing_committed", detail };
  }
  // The end of an unreadable last object is unknown.
  if (committed === undefined || last === "unknown") return;
  const lastEnd = last === "nothing" ? undefined : last.metadata.end;
  if (committed > (lastEnd ?? -1) + 1) {
    const detail = `the group has archived up to ${committed - 1}, and the objects end at ${lastEnd ?? "nothing"}`;
    // Lost verdicts change no hash. A different hash means that objects are missing.
    const isLoss = hashIn(position.metadata) === (last === "nothing" ? "" : chainSha256(last));
    const missing = { from: (lastEnd ?? -1) + 1, until: committed - 1 };
    yield { finding: "end_missing", detail, ...(isLoss ? { missing } : {}) };
  }
}

/**
 * The rest of a log is archived when its run ends. Offsets behind the last object were not archived yet, or their
 * objects are gone.
 */
function* unarchived(log: string, last: Before, end: number): Iterable<Problem> {
  if (last === "unknown") return;
  const from = last === "nothing" ? 0 : last.metadata.end + 1;
  if (end <= from) return;
  const detail = `${log} holds ${from} to ${end - 1}, and no object does: a run that was stopped archives them when it goes on`;
  yield { finding: "end_missing", detail };
}
