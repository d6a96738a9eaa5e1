import { findChain } from "../chains/registry.ts";
import type { Subject } from "./verdict.ts";

/**
 * The key of all verdicts on one subject, so that they share a partition and keep their order: family:address, or the
 * hash that names a transaction or an unreadable record.
 */
export function subjectKey(subject: Subject): string {
  if (subject.type === "unreadable") return subject.record_sha256;
  if (subject.type === "transaction") return subject.transaction_sha256;
  return `${findChain(subject.chain_id)?.family ?? subject.chain_id}:${subject.address}`;
}
