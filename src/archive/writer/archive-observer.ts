import type { StoredObject } from "../object.ts";

/**
 * What an archive tries until it works: to learn where its group stands and where its objects end, and to store, and to
 * commit what is stored.
 */
export const archiveSteps = ["offsets", "objects", "store", "commit"] as const;
export type ArchiveStep = (typeof archiveSteps)[number];

/** Told of what an archive does, while it does it: for logs and metrics. Every call returns at once and throws nothing. */
export interface ArchiveObserver {
  /** An object is durable, and with it so many bytes of lines, before they are packed, each with its line end. */
  stored(object: StoredObject, bytes: number): void;
  /** The topic deleted so many offsets before they were archived. */
  lost(offsets: number): void;
  /** A try failed. */
  failed(step: ArchiveStep): void;
}
