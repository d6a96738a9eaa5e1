import type { Clock } from "../kernel/clock.ts";
import { toError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { GroupConsumer, StreamRecord, TopicPartition } from "../kernel/stream.ts";
import type { ArchiveObserver } from "./archive-observer.ts";
import type { HaltedPartitions } from "./halted-partitions.ts";
import type { ArchiveObject, StoredObject } from "./object.ts";
import type { ObjectStore } from "./object-store.ts";
import type { PartitionArchiver } from "./partition-archiver.ts";
import type { Tries } from "./tries.ts";
import { commitMetadata } from "./where-to-begin.ts";

export interface PartitionWorkDeps {
  readonly consumer: Pick<GroupConsumer, "commit" | "resume">;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: ArchiveObserver;
  readonly tries: Tries;
  readonly halted: HaltedPartitions;
  /** Whether memory is full, so that whatever waits is stored at once. */
  readonly isFull: () => boolean;
  /** Fewer bytes wait than before. */
  readonly onFewer: () => void;
}

/** One partition in one generation of the group: stores and commits one object after the other. */
export class PartitionWork {
  readonly at: TopicPartition;
  readonly archiver: PartitionArchiver;
  readonly #deps: PartitionWorkDeps;
  readonly #generation: AbortSignal;
  #wantsMore = false;
  #changed = Promise.withResolvers<void>();

  constructor(at: TopicPartition, archiver: PartitionArchiver, generation: AbortSignal, deps: PartitionWorkDeps) {
    this.at = at;
    this.archiver = archiver;
    this.#generation = generation;
    this.#deps = deps;
  }

  get isHalted(): boolean {
    return this.#deps.halted.has(this.at);
  }

  /**
   * Whether it can store what waits. It cannot when it is halted, nor when the object under its next key is longer than
   * what waits here: then it goes on being read although others may not be.
   */
  get isMoving(): boolean {
    return !this.isHalted && !this.#wantsMore;
  }

  /** Takes in what was read; a record without a value is no verdict. */
  add(records: readonly StreamRecord[]): void {
    const now = this.#deps.clock.ticks();
    for (const { offset, value, timestamp } of records) {
      if (value !== undefined) this.archiver.add({ offset, line: value, writtenAt: timestamp }, now);
    }
    this.wake();
  }

  /** What was to come below `until` was deleted: that is said, and the archive keeps the gap. */
  skipTo(until: number): void {
    const { log, observer } = this.#deps;
    const from = this.archiver.skipTo(until);
    if (from === undefined) return;
    log.error("verdicts were deleted before they were archived", { ...this.at, from, until });
    observer.lost(until - from);
    // Otherwise whoever has the partition next would find the same loss, and count it again.
    if (this.archiver.bytes === 0) void this.#commit();
    this.wake();
  }

  /** Something is different: it looks again at what it may store. */
  wake(): void {
    this.#changed.resolve();
  }

  /** Runs as long as the generation lasts, or until it is halted. @throws what trying again does not help against. */
  async run(): Promise<void> {
    const { clock, observer, halted, isFull, onFewer } = this.#deps;
    const { archiver, at } = this;
    while (!this.#generation.aborted) {
      const object = archiver.next(clock.ticks(), isFull());
      if (object === undefined) {
        await this.#change();
        continue;
      }
      const standing = await this.#put(object).catch(halted.unlessUnreadable(at));
      if (standing === undefined || this.#generation.aborted) return;
      const stored = await this.#recognized(object, standing);
      if (this.#generation.aborted) return;
      if (stored === undefined) {
        halted.halt(at, "the archive holds other verdicts than the topic", { key: standing.key });
        return;
      }
      const waited = archiver.bytes;
      archiver.stored(stored);
      observer.stored(stored, waited - archiver.bytes);
      await this.#commit();
      onFewer();
    }
  }

  /** The object itself once it is stored, or what stood there before; undefined when the generation ended. */
  #put(object: ArchiveObject): Promise<StoredObject | undefined> {
    const { store, tries } = this.#deps;
    const put = async () => (await store.putNew(object, this.#generation)) ?? object;
    return tries.until("store", this.#generation, put);
  }

  /** What is stored now, as far as it is what waits here; undefined when it is something else. */
  async #recognized(object: ArchiveObject, standing: StoredObject): Promise<StoredObject | undefined> {
    if (standing === object) return object;
    for (;;) {
      const found = this.archiver.compare(standing.metadata);
      this.#wantsMore = found === "longer";
      if (found !== "longer") return found === "same" ? standing : undefined;
      this.#deps.consumer.resume([this.at]);
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
      if (this.#generation.aborted) return undefined;
    }
  }

  async #commit(): Promise<void> {
    const { consumer, log, observer } = this.#deps;
    const { position } = this.archiver;
    try {
      await consumer.commit([{ ...this.at, offset: position.next, metadata: commitMetadata(position) }]);
    } catch (thrown) {
      observer.failed("commit");
      log.warn("a commit of the archive was refused", { ...this.at, reason: toError(thrown).message });
    }
  }

  /** Resolves when more waits, or when what waits is due. */
  async #change(): Promise<void> {
    const { clock } = this.#deps;
    const { dueAt } = this.archiver;
    this.#changed = Promise.withResolvers();
    const woken = new AbortController();
    const due =
      dueAt === undefined ? [] : [clock.sleep(Math.max(0, dueAt - clock.ticks()), woken.signal).catch(() => undefined)];
    await Promise.race([this.#changed.promise, ...due]);
    woken.abort();
  }
}
