import type { ArchiveObject, StoredObject } from "../../src/archive/object.ts";
import type { ArchiveStore, ObjectPacker, PackedObject } from "../../src/archive/ports.ts";

/** An archive in memory, without compression. */
export class FakeArchive implements ArchiveStore {
  readonly #objects: ArchiveObject[] = [];
  /** Compressions that have begun and were not dropped. */
  packings = 0;

  get stored(): readonly ArchiveObject[] {
    return this.#objects;
  }

  async *objects(topic: string, partition: number): AsyncGenerator<StoredObject> {
    for (const { key, metadata } of this.#objects) {
      if (metadata.topic === topic && metadata.partition === partition) yield { key, metadata };
    }
  }

  pack(): ObjectPacker {
    this.packings++;
    const pieces: Buffer[] = [];
    return {
      add: async (bytes) => {
        await new Promise((resolve) => setImmediate(resolve));
        pieces.push(Buffer.from(bytes));
      },
      end: async () => Buffer.concat(pieces),
      drop: () => void this.packings--,
    };
  }

  async put({ key, metadata, packed }: PackedObject): Promise<void> {
    this.#objects.push({ key, metadata, lines: packed });
  }
}
