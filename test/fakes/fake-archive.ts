import { type ArchiveObject, after, type Position } from "../../src/archive/object.ts";
import type { ArchiveStore } from "../../src/archive/ports.ts";

/** An archive in memory. */
export class FakeArchive implements ArchiveStore {
  readonly objects: ArchiveObject[] = [];

  async position(topic: string, partition: number): Promise<Position> {
    const last = this.objects.findLast(({ metadata }) => metadata.topic === topic && metadata.partition === partition);
    return last === undefined ? { topic, partition, next: 0, previousSha256: "" } : after(last);
  }

  async put(object: ArchiveObject): Promise<void> {
    this.objects.push(object);
  }
}
