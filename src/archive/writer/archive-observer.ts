import type { StoredObject } from "../object.ts";

/**
 * The steps that an archive retries until they succeed: to learn the group's position and the end of the objects, and
 * to store. A commit is tried once, because the next commit makes up for it.
 */
export const archiveSteps = ["offsets", "objects", "store", "commit"] as const;
export type ArchiveStep = (typeof archiveSteps)[number];

/**
 * Receives the actions of an archive as they happen, for logs and metrics. Every call returns at once and throws
 * nothing.
 */
export interface ArchiveObserver {
  /** An object is durable. `bytes` is the uncompressed size of its lines, each with its line end. */
  stored(object: StoredObject, bytes: number): void;
  /** The topic deleted this number of offsets before they were archived. */
  lost(offsets: number): void;
  /** An attempt failed. */
  failed(step: ArchiveStep): void;
}
