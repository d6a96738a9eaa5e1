import type { ArchiveObject, StoredObject } from "./object.ts";

/** Where objects are kept. Nothing is ever overwritten or removed. */
export interface ArchiveStore {
  /** What a log was cut into so far, from its start on. @throws {OutputUnwritableError} */
  objects(topic: string, partition: number): AsyncIterable<StoredObject>;
  /** Resolves once the object is durable. @throws {OutputUnwritableError} also when other bytes stand under its key. */
  put(object: ArchiveObject): Promise<void>;
}
