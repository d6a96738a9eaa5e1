import { AppError } from "../kernel/errors.ts";
import type { ArchiveObject, StoredObject } from "./object.ts";

/** The store gave no answer, or says that it is unavailable. The state of the requested object is unknown. */
export class StoreUnavailableError extends AppError {
  readonly code = "STORE_UNAVAILABLE";
  readonly retryable = true;
}

/** The content under a key is no object of the archive: truncated, damaged, or written by another program. */
export class ObjectUnreadableError extends AppError {
  readonly code = "OBJECT_UNREADABLE";
  readonly retryable = false;
}

/** An object in a listing of the store. */
export interface ListedObject {
  readonly key: string;
  /** Compressed size. */
  readonly bytes: number;
}

/** One version of an object, or the marker of its deletion. */
export interface ListedVersion {
  readonly key: string;
  readonly isDeletion: boolean;
}

/** A store that keeps overwritten and deleted objects. */
export interface VersionedStore {
  /**
   * Every version and deletion below `prefix`. The keys of versions ascend, and so do the keys of deletions. @throws
   * {StoreUnavailableError}
   */
  versions(prefix: string, signal: AbortSignal): AsyncIterable<ListedVersion>;
}

/** A store for reading only. */
export interface ReadableStore {
  /** Every key below `prefix`, ascending. @throws {StoreUnavailableError} */
  list(prefix: string, signal: AbortSignal): AsyncIterable<Pick<ListedObject, "key">>;
  /**
   * The object under `key` without its lines. Undefined when there is none.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  head(key: string, signal: AbortSignal): Promise<StoredObject | undefined>;
  /**
   * The lines under `key`, decompressed. Undefined when there are none. The caller has to verify that the lines match
   * their metadata.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  lines(key: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /**
   * The text under a key that is no archive object. Undefined when there is none.
   *
   * @throws {StoreUnavailableError | ObjectUnreadableError}
   */
  text(key: string, signal: AbortSignal): Promise<string | undefined>;
}

/** A store of objects. Each key is written once and never again. */
export interface ObjectStore extends ReadableStore {
  /**
   * Stores `object` unless its key is taken.
   *
   * @returns undefined once the object is durable. Otherwise the existing object, which stays unchanged.
   * @throws {StoreUnavailableError} when the object may or may not be stored.
   * @throws {ObjectUnreadableError} when the existing content is no object of the archive.
   */
  putNew(object: ArchiveObject, signal: AbortSignal): Promise<StoredObject | undefined>;
  /** Everything below `prefix`, keys ascending. @throws {StoreUnavailableError} */
  list(prefix: string, signal: AbortSignal): AsyncIterable<ListedObject>;
}
