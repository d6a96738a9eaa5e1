import { findChain } from "../chains/registry.ts";
import { sha256 } from "../kernel/hash.ts";
import type { Subject } from "./verdict.ts";

/** The longest key, characters. Chosen: longer than any valid address. A hash stands for text that is no address. */
const MAX_KEY = 128;

/**
 * The record key of all verdicts on one subject: family:address, or the hash that identifies a transaction or an
 * unreadable record. Verdicts with one key share a partition and keep their order.
 */
export function subjectKey(subject: Subject): string {
  if (subject.type === "unreadable") return subject.record_sha256;
  if (subject.type === "transaction") return subject.transaction_sha256;
  const key = `${findChain(subject.chain_id)?.family ?? subject.chain_id}:${subject.address}`;
  return key.length <= MAX_KEY ? key : sha256(key);
}
