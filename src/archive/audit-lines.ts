import { Verdict } from "../events/verdict.ts";
import { sha256 } from "../kernel/sha256.ts";
import type { StreamRecord, TopicPartition } from "../kernel/stream.ts";
import {
  type AuditCounts,
  type AuditDeps,
  type AuditedTopic,
  type Found,
  type Problem,
  readable,
} from "./audit-finding.ts";
import { dateIn } from "./audit-place.ts";
import { dateOfWriting, type ObjectMetadata } from "./object.ts";

/** Whether an object holds what it says: its hash, its count, verdicts that their evidence bears out, and the topic's records. */
export async function auditLines(
  at: TopicPartition,
  key: string,
  metadata: ObjectMetadata,
  counts: AuditCounts,
  found: Found,
  deps: AuditDeps,
): Promise<void> {
  const bytes = await readable(key, found, () => deps.store.lines(key, deps.signal));
  if (bytes === undefined) return;
  if (sha256(bytes) !== metadata.sha256) {
    found({ key, finding: "hash_mismatch", detail: "its lines are not those that were archived" });
  }
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").split("\n").slice(0, -1);
  if (lines.length !== metadata.count) {
    found({ key, finding: "count_mismatch", detail: `it says ${metadata.count} verdicts and holds ${lines.length}` });
  }
  for (const [i, line] of lines.entries()) {
    counts.verdicts++;
    for (const problem of misjudged(line, i + 1, counts, deps)) found({ key, ...problem });
  }
  if (deps.topic !== undefined) await compare(at, key, metadata, lines, counts, found, deps.topic);
}

function* misjudged(line: string, number: number, counts: AuditCounts, { decide }: AuditDeps): Iterable<Problem> {
  const verdict = verdictIn(line);
  if (verdict === undefined) {
    yield { finding: "not_a_verdict", detail: `line ${number}` };
    return;
  }
  const again = decide(verdict);
  if (again === undefined) {
    const policy = `${verdict.policy.id} ${verdict.policy.sha256}`;
    counts.otherPolicy++;
    counts.missingPolicies.set(policy, (counts.missingPolicies.get(policy) ?? 0) + 1);
  } else {
    counts.decided++;
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

/** An object that begins before what the topic still keeps is not compared: nobody knows which line is which offset. */
async function compare(
  at: TopicPartition,
  key: string,
  { start, end }: ObjectMetadata,
  lines: readonly string[],
  counts: AuditCounts,
  found: Found,
  topic: AuditedTopic,
): Promise<void> {
  const earliest = topic.positions.get(at.partition)?.earliest ?? Number.POSITIVE_INFINITY;
  if (start < earliest) return;
  const dated = (record: StreamRecord) => {
    const date = dateOfWriting(record.timestamp);
    if (date === undefined || date === dateIn(key)) return;
    found({ key, finding: "key_mismatch", detail: `its first verdict was written on ${date}` });
  };
  const differs = await difference(topic.records(at, start, end), lines, dated);
  if (differs === undefined) counts.compared += lines.length;
  // What was deleted while it was read is not missing.
  else if ((await topic.earliest(at)) <= start) found({ key, finding: "not_in_topic", detail: differs });
}

/** Where the lines are not the records' values; undefined: nowhere. */
async function difference(
  records: AsyncIterable<StreamRecord>,
  lines: readonly string[],
  onFirst: (record: StreamRecord) => void,
): Promise<string | undefined> {
  let line = 0;
  for await (const record of records) {
    const { value, offset } = record;
    if (value === undefined) continue;
    if (Buffer.from(value).toString("utf8") !== lines[line]) {
      return `line ${line + 1} is not what the topic has at offset ${offset}`;
    }
    if (line === 0) onFirst(record);
    line++;
  }
  return line < lines.length ? `line ${line + 1} and after are not in the topic` : undefined;
}

function verdictIn(line: string): Verdict | undefined {
  try {
    const parsed = Verdict.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
