import type { ArchiveObject, StoredObject } from "./object.ts";

/** Where objects are kept. Nothing is ever overwritten or removed. */
export interface ArchiveStore {
  /** What a log was cut into so far, from its start on. @throws {OutputUnwritableError} */
  objects(topic: string, partition: number): AsyncIterable<StoredObject>;
  /**
   * Resolves once the object is durable. It may be packed at once, and nothing of it is there before `after` is fulfilled.
   * Its lines stand until then only.
   *
   * @throws {OutputUnwritableError} also when other bytes stand under its key; what `after` rejects with.
   */
  put(object: ArchiveObject, after?: Promise<void>): Promise<void>;
}
