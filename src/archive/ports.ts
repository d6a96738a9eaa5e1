import type { StoredObject } from "./object.ts";

/** A compressed object. No other copy of its lines exists in memory. */
export interface PackedObject extends StoredObject {
  readonly packed: Uint8Array;
}

/** Compresses the lines of one object as they come. */
export interface ObjectPacker {
  /** Resolves once `bytes` are compressed. The caller may reuse their memory only then. */
  add(bytes: Uint8Array): Promise<void>;
  /** Everything that was compressed. */
  end(): Promise<Uint8Array>;
  /** Discards the unfinished object. */
  drop(): void;
}

/** A store of archive objects that never overwrites or removes an object. */
export interface ArchiveStore {
  /** The existing objects of a log from its start. @throws {OutputUnwritableError} */
  objects(topic: string, partition: number): AsyncIterable<StoredObject>;
  /** Begins an object. */
  pack(): ObjectPacker;
  /** Resolves once the object is durable. @throws {OutputUnwritableError} also when other bytes exist under its key. */
  put(object: PackedObject): Promise<void>;
}
