import type { ArchiveObject, StoredObject } from "../../src/archive/object.ts";
import type { ArchiveStore } from "../../src/archive/ports.ts";

/** An archive in memory. */
export class FakeArchive implements ArchiveStore {
  readonly #objects: ArchiveObject[] = [];

  get stored(): readonly ArchiveObject[] {
    return this.#objects;
  }

  async *objects(topic: string, partition: number): AsyncGenerator<StoredObject> {
    for (const { key, metadata } of this.#objects) {
      if (metadata.topic === topic && metadata.partition === partition) yield { key, metadata };
    }
  }

  async put(object: ArchiveObject, after?: Promise<void>): Promise<void> {
    await after;
    // Its lines stand until now only.
    this.#objects.push({ ...object, lines: Buffer.from(object.lines) });
  }
}
