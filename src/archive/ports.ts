import type { StoredObject } from "./object.ts";

/** An object as it is kept: its lines are packed, and nothing else has them. */
export interface PackedObject extends StoredObject {
  readonly packed: Uint8Array;
}

/** Packs the lines of one object as they come. */
export interface ObjectPacker {
  /** Resolves once `bytes` are packed; they stand until then only. */
  add(bytes: Uint8Array): Promise<void>;
  /** All that was packed. */
  end(): Promise<Uint8Array>;
  /** Gives up what was begun. */
  drop(): void;
}

/** Where objects are kept. Nothing is ever overwritten or removed. */
export interface ArchiveStore {
  /** What a log was cut into so far, from its start on. @throws {OutputUnwritableError} */
  objects(topic: string, partition: number): AsyncIterable<StoredObject>;
  /** Begins an object. */
  pack(): ObjectPacker;
  /** Resolves once the object is durable. @throws {OutputUnwritableError} also when other bytes stand under its key. */
  put(object: PackedObject): Promise<void>;
}
