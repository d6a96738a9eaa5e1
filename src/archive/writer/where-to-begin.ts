import type { Log } from "../../kernel/log.ts";
import type { GroupPosition, TopicPartition } from "../../kernel/stream.ts";
import { after, type Position, type StoredObject } from "../object.ts";
import { type ObjectStore, StoreUnavailableError } from "../object-store.ts";

/** Version 1 held the hash of the lines alone. After a commit of version 1, the objects are read instead. */
const MARK = "weir-archive/2";

/** The metadata that is committed with an offset: the hash that the next object must name. */
export function commitMetadata({ previousSha256 }: Position): string {
  return `${MARK} ${previousSha256}`;
}

/** The hash in `commitMetadata`. Undefined for any other text. */
export function hashIn(metadata: string): string | undefined {
  const [mark, hash = "", ...others] = metadata.split(" ");
  return mark === MARK && others.length === 0 && /^([0-9a-f]{64})?$/.test(hash) ? hash : undefined;
}

/** The position from which an archive continues. */
export interface ArchiveStart {
  readonly position: Position;
  /** The existing object right after the position. It must be compared with the topic first. */
  readonly last?: StoredObject;
}

export interface BeginDeps {
  readonly store: Pick<ObjectStore, "list" | "head">;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * The position from which the archive of a partition continues. With a commit of Weir it is the committed offset, with
 * the committed hash.
 * Without such a commit (the group is new, was deleted or was moved), the existing objects decide. They also decide
 * when the topic has deleted the committed offset. Offsets between the position and `earliest` are lost, which the
 * caller reports.
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
  // Without an object, all existing records are archived.
  const position = last === undefined ? { ...fromCommit, next: earliest } : after(last);
  // Stored but uncommitted verdicts are not lost, although the topic no longer has them.
  if (isOurs && position.next <= committed) return { position: fromCommit };
  if (committed !== undefined && committed > position.next) {
    const fields = { ...at, from: position.next, until: committed };
    log.error("the consumer group of the archive was moved past verdicts that are not archived", fields);
    return { position: { ...position, next: committed } };
  }
  if (last === undefined) return { position: fromCommit };
  const { start, previous_sha256: previousSha256 } = last.metadata;
  // No commit confirms that this object belongs to this log. Its records are read again, as far as they still exist.
  const isReadAgain = earliest <= start && (committed ?? earliest) <= start;
  return isReadAgain ? { position: { ...at, next: start, previousSha256 }, last } : { position };
}

/** Walks over all keys of the topic. Only a group without its commit needs this. */
async function lastObject({ topic, partition }: TopicPartition, store: BeginDeps["store"], signal: AbortSignal) {
  const folder = `/p=${String(partition).padStart(5, "0")}/`;
  let last: { readonly key: string; readonly start: string } | undefined;
  for await (const { key } of store.list(`v1/${topic}/`, signal)) {
    const start = key.split("/").at(-1) ?? "";
    if (key.includes(folder) && (last === undefined || start > last.start)) last = { key, start };
  }
  if (last === undefined) return undefined;
  const found = await store.head(last.key, signal);
  // If the missing object were ignored, the archive would restart among existing objects.
  if (found === undefined)
    throw new StoreUnavailableError(`${last.key} is listed but missing: the object was deleted meanwhile`);
  return found;
}
