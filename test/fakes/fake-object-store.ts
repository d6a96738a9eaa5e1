import type { ArchiveObject, StoredObject } from "../../src/archive/object.ts";
import { type ListedObject, type ObjectStore, StoreUnavailableError } from "../../src/archive/object-store.ts";

/** A store in memory with failures that the test sets. */
export class FakeObjectStore implements ObjectStore {
  readonly objects = new Map<string, ArchiveObject>();
  readonly texts = new Map<string, string>();
  /** Number of attempted puts. */
  puts = 0;
  isAway = false;
  /** Number of next puts that are stored with a lost answer. */
  lostAnswers = 0;
  /** The promise that a put waits for first. */
  hold: Promise<void> = Promise.resolve();

  async putNew(object: ArchiveObject): Promise<StoredObject | undefined> {
    this.puts++;
    await this.hold;
    this.#reach();
    const standing = this.objects.get(object.key);
    if (standing === undefined) this.objects.set(object.key, object);
    if (this.lostAnswers > 0) {
      this.lostAnswers--;
      throw new StoreUnavailableError("the answer was lost");
    }
    return standing;
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    this.#reach();
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    for (const key of keys) yield { key, bytes: this.objects.get(key)?.lines.byteLength ?? 0 };
  }

  async text(key: string): Promise<string | undefined> {
    this.#reach();
    return this.texts.get(key);
  }

  async head(key: string): Promise<StoredObject | undefined> {
    this.#reach();
    return this.objects.get(key);
  }

  async lines(key: string): Promise<Uint8Array | undefined> {
    this.#reach();
    return this.objects.get(key)?.lines;
  }

  #reach(): void {
    if (this.isAway) throw new StoreUnavailableError("503");
  }
}
