import type { ArchiveObject, Position } from "./object.ts";

/** Where objects are kept. Nothing is ever overwritten or removed. */
export interface ArchiveStore {
  /** Where the archive of a log ends; its start when there is none yet. @throws {OutputUnwritableError} */
  position(topic: string, partition: number): Promise<Position>;
  /** Resolves once the object is durable. @throws {OutputUnwritableError} also when other bytes stand under its key. */
  put(object: ArchiveObject): Promise<void>;
}
