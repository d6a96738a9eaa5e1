import { chainSha256 } from "../../archive/object.ts";
import type { VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import { wholeLines } from "../../archive/reading/newest-first.ts";
import { toError } from "../../kernel/errors.ts";
import { sha256 } from "../../kernel/hash.ts";
import type { ArchivedTopic } from "../archive-source/archive-source.ts";
import type { ObjectProof } from "./explanation.ts";

const PARTITION = /\/p=\d+\//;

/** Looks whether the object of a verdict is whole, and whether the next object of its partition names it. */
export async function objectProof(
  found: VerdictMatch,
  topic: ArchivedTopic,
  signal: AbortSignal,
): Promise<ObjectProof | { readonly fault: string }> {
  try {
    return await proofOf(found, topic, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // The verdict itself is there, so it is explained.
    return { fault: toError(thrown).message };
  }
}

async function proofOf(
  { name: key, line }: VerdictMatch,
  { store, keys }: ArchivedTopic,
  signal: AbortSignal,
): Promise<ObjectProof | { readonly fault: string }> {
  const at = keys.indexOf(key);
  const object = await store.head(key, signal);
  if (object === undefined) return { fault: `${key} is gone` };
  const lines = await wholeLines(store, key, signal);
  // Newest first: the next object of the log stands before this one.
  const newer = keys[at - 1];
  const isSamePartition = newer !== undefined && PARTITION.exec(newer)?.[0] === PARTITION.exec(key)?.[0];
  const next = isSamePartition ? await store.head(newer, signal).catch(() => undefined) : undefined;
  const { start, end, sha256: hash } = object.metadata;
  return {
    key,
    line,
    first_offset: start,
    last_offset: end,
    sha256: hash,
    lines_match: sha256(lines) === hash,
    chain_sha256: chainSha256(object),
    named_by_next: next === undefined ? undefined : next.metadata.previous_sha256 === chainSha256(object),
  };
}
