import { AppError } from "../kernel/errors.ts";
import type { ArchiveObject, StoredObject } from "./object.ts";

/** The store gave no answer, or one that says that it cannot now: nothing is known of what was asked. */
export class StoreUnavailableError extends AppError {
  readonly code = "STORE_UNAVAILABLE";
  readonly retryable = true;
}

/** What stands under a key is no object of the archive, or no longer: cut short, damaged, or somebody else's. */
export class ObjectUnreadableError extends AppError {
  readonly code = "OBJECT_UNREADABLE";
  readonly retryable = false;
}

/** What a store holds under a key, as far as a listing tells. */
export interface ListedObject {
  readonly key: string;
  /** Packed. */
  readonly bytes: number;
}

/** What a store has kept under a key: a version of it, or the mark that it was deleted. */
export interface ListedVersion {
  readonly key: string;
  readonly isDeletion: boolean;
}

/** A store that keeps what is overwritten or deleted. */
export interface VersionedStore {
  /** Everything below `prefix` that was ever put or deleted; keys of versions ascend, and those of deletions. @throws {StoreUnavailableError} */
  versions(prefix: string, signal: AbortSignal): AsyncIterable<ListedVersion>;
}

/** Objects that are only read. */
export interface ReadableStore {
  /** Every key below `prefix`, ascending. @throws {StoreUnavailableError} */
  list(prefix: string, signal: AbortSignal): AsyncIterable<Pick<ListedObject, "key">>;
  /**
   * What stands under `key`, without its lines; undefined when nothing does.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  head(key: string, signal: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * The lines under `key`, unpacked; undefined when nothing stands there. Whether they are the ones that its metadata
   * speaks of is for the caller to see.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  lines(key: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * The text under a key that is no object's; undefined when nothing stands there.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  text(key: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Objects under keys, each written once and never again. */
export interface ObjectStore extends ReadableStore {
  /**
   * Stores `object` unless something stands under its key.
   *
   * @returns undefined once it is durable; otherwise what stands there, which is left as it is.
   * @throws {StoreUnavailableError} when it may or may not be stored.
   * @throws {ObjectUnreadableError} when what stands there is no object of the archive.
   */
  putNew(object: ArchiveObject, signal: AbortSignal): Promise<StoredObject | undefined>;
  /** Everything below `prefix`, keys ascending. @throws {StoreUnavailableError} */
  list(prefix: string, signal: AbortSignal): AsyncIterable<ListedObject>;
}
