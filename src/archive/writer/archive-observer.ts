import type { StoredObject } from "../object.ts";

/**
 * What an archive tries until it works: to learn where its group stands and where its objects end, and to store, and to
 * commit what is stored.
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
