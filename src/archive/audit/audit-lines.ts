import { sha256 } from "../../kernel/hash.ts";
import type { StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import { verdictIn } from "../../messages/verdict.ts";
import { dateOfWriting, type ObjectMetadata } from "../object.ts";
import { linesOf } from "../reading/newest-first.ts";
import {
  type AuditCounts,
  type AuditDeps,
  type AuditedTopic,
  type AuditReport,
  type Problem,
  readable,
} from "./audit-finding.ts";
import { countLists } from "./audit-lists.ts";
import { dateIn } from "./audit-order.ts";

/** The most policies that are reported by name. Forged verdicts may name more. */
const MAX_POLICIES = 1_000;

/** Verifies an object: its hash, its count, verdicts that follow from their evidence, and the records of the topic. */
export async function auditLines(
  at: TopicPartition,
  key: string,
  metadata: ObjectMetadata,
  counts: AuditCounts,
  found: AuditReport,
  deps: AuditDeps,
): Promise<void> {
  const bytes = await readable(key, found, () => deps.store.lines(key, deps.signal));
  if (bytes === undefined) return;
  if (sha256(bytes) !== metadata.sha256) {
    found({ key, finding: "hash_mismatch", detail: "the lines differ from the archived lines" });
  }
  let number = 0;
  for (const line of linesOf(bytes)) {
    counts.verdicts++;
    for (const problem of misjudged(line, ++number, counts, deps)) found({ key, ...problem });
  }
  if (number !== metadata.count) {
    found({
      key,
      finding: "count_mismatch",
      detail: `the metadata says ${metadata.count} verdicts, and the object holds ${number}`,
    });
  }
  if (deps.topic !== undefined) await compare(at, key, metadata, bytes, counts, found, deps.topic);
}

function* misjudged(line: Buffer, number: number, counts: AuditCounts, { decide }: AuditDeps): Iterable<Problem> {
  const verdict = verdictIn(line);
  if (verdict === undefined) {
    yield { finding: "not_a_verdict", detail: `line ${number}` };
    return;
  }
  countLists(verdict, counts);
  const again = decide(verdict);
  const named = `${verdict.policy.id} ${verdict.policy.sha256}`;
  if (again === undefined) {
    const { missingPolicies } = counts;
    const policy = missingPolicies.has(named) || missingPolicies.size < MAX_POLICIES ? named : "many others";
    counts.otherPolicy++;
    counts.missingPolicies.set(policy, (counts.missingPolicies.get(policy) ?? 0) + 1);
  } else if (again.decision === undefined) {
    const detail = `line ${number}: ${verdict.decision}, and it was too large to keep all that it was decided by (${verdict.verdict_id})`;
    yield { finding: "evidence_left_out", detail };
  } else {
    counts.decided++;
    if (counts.policies.has(named) || counts.policies.size < MAX_POLICIES)
      counts.policies.set(named, (counts.policies.get(named) ?? 0) + 1);
    const { decision, missing } = again;
    for (const check of missing) {
      const detail = `line ${number}: ${verdict.policy.id} asks for ${check}, and it holds none (${verdict.verdict_id})`;
      yield { finding: "check_missing", detail };
    }
    if (decision !== verdict.decision) {
      const detail = `line ${number}: ${verdict.decision}, and its evidence gives ${decision} (${verdict.verdict_id})`;
      yield { finding: "other_decision", detail };
    }
  }
}

/**
 * An object that begins before the first existing record of the topic is not compared. The offsets of its lines are
 * unknown.
 */
async function compare(
  at: TopicPartition,
  key: string,
  { start, end }: ObjectMetadata,
  bytes: Uint8Array,
  counts: AuditCounts,
  found: AuditReport,
  topic: AuditedTopic,
): Promise<void> {
  const earliest = topic.positions.get(at.partition)?.earliest ?? Number.POSITIVE_INFINITY;
  if (start < earliest) return;
  const dated = (record: StreamRecord) => {
    const date = dateOfWriting(record.timestamp);
    if (date === undefined || date === dateIn(key)) return;
    found({ key, finding: "key_mismatch", detail: `the first verdict was written on ${date}` });
  };
  const { wholeLog = "the topic" } = topic;
  const { differs, lines } = await difference(topic.records(at, start, end), linesOf(bytes), wholeLog, dated);
  if (differs === undefined) counts.compared += lines;
  // Records that were deleted during the comparison are not missing.
  else if ((await topic.earliest(at)) <= start) found({ key, finding: "not_in_topic", detail: differs });
}

/** The first line that differs from the records' values, if there is one, and the number of compared lines. */
async function difference(
  records: AsyncIterable<StreamRecord>,
  lines: Iterator<Buffer, undefined>,
  called: string,
  onFirst: (record: StreamRecord) => void,
): Promise<{ readonly differs: string | undefined; readonly lines: number }> {
  let line = 0;
  for await (const record of records) {
    const { value, offset } = record;
    if (value === undefined) continue;
    const { value: archived } = lines.next();
    if (archived === undefined || !archived.equals(value)) {
      return { differs: `line ${line + 1} is not what ${called} has at offset ${offset}`, lines: line };
    }
    if (line === 0) onFirst(record);
    line++;
  }
  const isMore = lines.next().done !== true;
  return { differs: isMore ? `line ${line + 1} and after are not in ${called}` : undefined, lines: line };
}
