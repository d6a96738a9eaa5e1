import { isPlainEvidence } from "../../messages/evidence.ts";
import type { CheckEntry, Reason, Subject, Verdict } from "../../messages/verdict.ts";

/** Most bytes of one UTF-16 code unit as JSON: "\u0000". */
const MAX_UNIT_BYTES = 6;
/** Most bytes of a name or a value without its text: quotes, colon, comma, brackets, or the longest number. */
const MAX_OTHER_BYTES = 26;
/** Upper bound of an entry about a plain target, without its texts, bytes. */
const PLAIN_ENTRY_BYTES = 1024;
/** Upper bound of a verdict without its parts and their texts, bytes: names, hashes, numbers and times. */
const VERDICT_BYTES = 2_048;
const REASON_BYTES = 256;

/** The exact size of `value` as JSON, bytes. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/**
 * Upper bound of a verdict's size as JSON, bytes. Nearly all verdicts are small, and an exact count costs a full
 * encoding.
 */
export function mostVerdictBytes(verdict: Verdict): number {
  const { event_id, tenant, policy, lists = "", source, software, reasons, subject, checks, ref } = verdict;
  const place = "file" in source ? source.file : source.topic;
  const units = event_id.length + tenant.length + policy.id.length + lists.length + place.length + software.length;
  let most = VERDICT_BYTES + MAX_UNIT_BYTES * units + mostBytesOfSubject(subject);
  for (const reason of reasons) most += mostBytesOfReason(reason);
  for (const entry of checks) most += mostBytesOfEntry(entry);
  return ref === undefined ? most : most + mostBytesOf(ref);
}

function mostBytesOfReason({ finding, detail, resembles = "" }: Reason): number {
  return REASON_BYTES + MAX_UNIT_BYTES * (finding.length + detail.length + resembles.length);
}

function mostBytesOfSubject(subject: Subject): number {
  if (subject.type === "unreadable") return 0;
  const { chain_id, address = "", token_address = "", user_addresses = NONE } = subject;
  let most = MAX_UNIT_BYTES * (chain_id.length + address.length + token_address.length);
  for (const user of user_addresses) most += MAX_OTHER_BYTES + MAX_UNIT_BYTES * user.length;
  return most;
}

const NONE: readonly string[] = [];

function mostBytesOfEntry(entry: CheckEntry): number {
  const { data, requested_at = "", answered_at = "", reduced, error } = entry;
  if (reduced !== undefined || error !== undefined || !isPlainEvidence(data)) return mostBytesOf(entry);
  const { chain_id, address } = data.target;
  const units = requested_at.length + answered_at.length + chain_id.length + address.length;
  return PLAIN_ENTRY_BYTES + MAX_UNIT_BYTES * units;
}

/** Upper bound of the size of a JSON value, bytes. */
function mostBytesOf(value: unknown): number {
  if (typeof value === "string") return MAX_OTHER_BYTES + MAX_UNIT_BYTES * value.length;
  let most = MAX_OTHER_BYTES;
  if (typeof value !== "object" || value === null) return most;
  for (const name in value) {
    most += MAX_OTHER_BYTES + MAX_UNIT_BYTES * name.length + mostBytesOf(Reflect.get(value, name));
  }
  return most;
}
