import { findChain } from "../chains/registry.ts";
import { sha256 } from "../kernel/sha256.ts";
import type { Subject } from "./verdict.ts";

/** Longest key, characters. Chosen: beyond that of any valid address; a hash stands for what is no address. */
const MAX_KEY = 128;

/**
 * The key of all verdicts on one subject, so that they share a partition and keep their order: family:address, or the
 * hash that names a transaction or an unreadable record.
 */
export function subjectKey(subject: Subject): string {
  if (subject.type === "unreadable") return subject.record_sha256;
  if (subject.type === "transaction") return subject.transaction_sha256;
  const key = `${findChain(subject.chain_id)?.family ?? subject.chain_id}:${subject.address}`;
  return key.length <= MAX_KEY ? key : sha256(key);
}
