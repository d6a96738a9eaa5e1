import type { Log } from "../../kernel/log.ts";
import type { GroupPosition, TopicPartition } from "../../kernel/stream.ts";
import { after, type Position, type StoredObject } from "../object.ts";
import { type ObjectStore, StoreUnavailableError } from "../object-store.ts";

/** Version 1 named the hash of the lines alone: whoever finds that asks the objects. */
const MARK = "weir-archive/2";

/** What is committed with an offset: what the object that comes next must name. */
export function commitMetadata({ previousSha256 }: Position): string {
  return `${MARK} ${previousSha256}`;
}

/** The hash of `commitMetadata`; undefined for any other text. */
export function hashIn(metadata: string): string | undefined {
  const [mark, hash = "", ...others] = metadata.split(" ");
  return mark === MARK && others.length === 0 && /^([0-9a-f]{64})?$/.test(hash) ? hash : undefined;
}

/** Where to go on. */
export interface ArchiveStart {
  readonly position: Position;
  /** The object that stands right after it, and must be compared with the topic first. */
  readonly last?: StoredObject;
}

export interface BeginDeps {
  readonly store: Pick<ObjectStore, "list" | "head">;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Where the archive of a partition goes on: where the group's commit says, with the hash that stands in it. A group
 * without a commit of ours (it is new, or was forgotten, or somebody moved it) is told by the objects that are there; so
 * is one of which the topic has deleted what comes next. What lies from here to `earliest` is lost, which is for the
 * caller to say.
 *
 * @throws {StoreUnavailableError}
 */
export async function whereToBegin(
  at: TopicPartition,
  { committed, metadata, earliest }: GroupPosition,
  { store, log, signal }: BeginDeps,
): Promise<ArchiveStart> {
  const hash = hashIn(metadata);
  const isOurs = committed !== undefined && hash !== undefined;
  const fromCommit = { ...at, next: committed ?? earliest, previousSha256: hash ?? "" };
  if (isOurs && earliest <= committed) return { position: fromCommit };
  const last = await lastObject(at, store, signal);
  // Without an object, everything that is there is to be archived.
  const position = last === undefined ? { ...fromCommit, next: earliest } : after(last);
  // What is stored and was not committed is not lost, although the topic has it no more.
  if (isOurs && position.next <= committed) return { position: fromCommit };
  if (committed !== undefined && committed > position.next) {
    const fields = { ...at, from: position.next, until: committed };
    log.error("the archive's group was moved past verdicts that are not archived", fields);
    return { position: { ...position, next: committed } };
  }
  if (last === undefined) return { position: fromCommit };
  const { start, previous_sha256: previousSha256 } = last.metadata;
  // No commit says that this object is of this log: what it holds is read again, as far as that is still there.
  const isReadAgain = earliest <= start && (committed ?? earliest) <= start;
  return isReadAgain ? { position: { ...at, next: start, previousSha256 }, last } : { position };
}

/** Walks all keys of the topic: only a group that has lost its commit needs it. */
async function lastObject({ topic, partition }: TopicPartition, store: BeginDeps["store"], signal: AbortSignal) {
  const folder = `/p=${String(partition).padStart(5, "0")}/`;
  let last: { readonly key: string; readonly start: string } | undefined;
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    const start = key.split("/").at(-1) ?? "";
    if (key.includes(folder) && (last === undefined || start > last.start)) last = { key, start };
  }
  if (last === undefined) return undefined;
  const found = await store.head(last.key, signal);
  // As if there were no object, the archive would begin anew in the midst of others.
  if (found === undefined)
    throw new StoreUnavailableError(`${last.key} is listed, and not there: it was deleted by now`);
  return found;
}
