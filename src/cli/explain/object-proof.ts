import { chainSha256 } from "../../archive/object.ts";
import type { VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import { sha256 } from "../../kernel/hash.ts";
import type { ArchivedTopic } from "../archive-source/archive-source.ts";
import type { ObjectProof } from "./explanation.ts";

const PARTITION = /\/p=\d+\//;

/**
 * Looks whether the object of a verdict is whole, and whether the next object of its partition names it.
 *
 * @returns undefined for a verdict that lies in no object of `topic`.
 * @throws {StoreUnavailableError | ObjectUnreadableError}
 */
export async function objectProof(
  { name: key, line }: VerdictMatch,
  { store, keys }: ArchivedTopic,
  signal: AbortSignal,
): Promise<ObjectProof | undefined> {
  const at = keys.indexOf(key);
  const object = at === -1 ? undefined : await store.head(key, signal);
  const lines = object === undefined ? undefined : await store.lines(key, signal);
  if (object === undefined || lines === undefined) return undefined;
  // Newest first: the next object of the log stands before this one.
  const newer = keys[at - 1];
  const isSamePartition = newer !== undefined && PARTITION.exec(newer)?.[0] === PARTITION.exec(key)?.[0];
  const next = isSamePartition ? await store.head(newer, signal) : undefined;
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
