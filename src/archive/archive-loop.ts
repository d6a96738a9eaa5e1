import type { Clock } from "../kernel/clock.ts";
import { AppError, toError } from "../kernel/errors.ts";
import type { Log, LogFields } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../kernel/retry.ts";
import type {
  GroupConsumer,
  GroupHandler,
  GroupOffsets,
  GroupPosition,
  PartitionOffset,
  StreamRecord,
  TopicPartition,
} from "../kernel/stream.ts";
import type { ArchiveObject, StoredObject } from "./object.ts";
import { type ObjectStore, ObjectUnreadableError } from "./object-store.ts";
import { type ArchiveLimits, PartitionArchiver } from "./partition-archiver.ts";
import { commitMetadata, whereToBegin } from "./where-to-begin.ts";

export interface ArchiveLoopDeps {
  readonly consumer: GroupConsumer;
  readonly offsets: GroupOffsets;
  readonly store: ObjectStore;
  readonly topic: string;
  readonly limits: ArchiveLimits;
  /** Bytes of lines that may wait, over all partitions; at least two objects' worth. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Told of each object once it is durable. */
  readonly onStored: (object: StoredObject) => void;
  readonly stop: AbortSignal;
}

/** One partition in one generation of the group. */
interface Work {
  readonly at: TopicPartition;
  readonly archiver: PartitionArchiver;
  /** Its archive holds something else than its log: nothing is archived until somebody has looked. */
  isHalted: boolean;
  /** The object under its next key is longer than what waits here: it may go on being read when others may not. */
  wantsMore: boolean;
  changed: PromiseWithResolvers<void>;
}

const AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 30_000 };

/**
 * Archives a topic's verdicts as one member of a group: each partition object by object, each durable before it is
 * committed and before the next is begun. While the store is away, memory fills up to its bound and reading pauses.
 *
 * Every generation of the group begins at the commit. What was stored and not committed stands there already and is
 * recognized by its hash, whoever stored it.
 */
export class ArchiveLoop implements GroupHandler {
  readonly #deps: ArchiveLoopDeps;
  readonly #failed = Promise.withResolvers<never>();
  #works = new Map<number, Work>();
  /** Ends what the generation before has begun. */
  #generation = new AbortController();
  #isFull = false;
  readonly #halted = new Set<number>();

  constructor(deps: ArchiveLoopDeps) {
    this.#deps = deps;
    this.#failed.promise.catch(() => undefined);
  }

  /** Partitions whose archive does not hold what their log holds, or cannot be read. */
  get halted(): readonly number[] {
    return [...this.#halted];
  }

  /** Bytes of lines that wait. */
  get bytes(): number {
    let bytes = 0;
    for (const { archiver } of this.#works.values()) bytes += archiver.bytes;
    return bytes;
  }

  /** Runs until `stop`. @throws when the consumer has ended for good, or a bug. */
  async run(): Promise<void> {
    const { consumer, stop } = this.#deps;
    const stopped = Promise.withResolvers<void>();
    const onStop = () => stopped.resolve();
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    try {
      await Promise.race([consumer.start(this), this.#failed.promise]);
      await Promise.race([stopped.promise, this.#failed.promise]);
    } finally {
      stop.removeEventListener("abort", onStop);
      this.#endGeneration();
      await consumer.stop();
    }
  }

  joined(assigned: readonly TopicPartition[]): void {
    this.#endGeneration();
    this.#generation = new AbortController();
    this.#works = new Map();
    this.#halted.clear();
    this.#isFull = false;
    // Nothing is read before it is known where each partition's archive goes on.
    this.#deps.consumer.pause(assigned);
    this.#begin(assigned, this.#generation.signal).catch((thrown: unknown) => this.#failed.reject(toError(thrown)));
  }

  rebalancing(): void {
    // What is stored is committed at once: there is nothing to hurry with.
  }

  delivered(records: readonly StreamRecord[]): boolean {
    const [first] = records;
    const work = first === undefined ? undefined : this.#works.get(first.partition);
    if (work === undefined || work.isHalted || this.#deps.stop.aborted) return false;
    const now = this.#deps.clock.ticks();
    for (const { offset, value, timestamp } of records) {
      if (value !== undefined) work.archiver.add({ offset, line: value, writtenAt: timestamp }, now);
    }
    work.changed.resolve();
    this.#weigh();
    return true;
  }

  committed(_offsets: readonly PartitionOffset[]): void {
    // A commit that is lost is made up for by the objects: they are recognized.
  }

  failed(error: Error, restarts: boolean): void {
    if (restarts) this.#deps.log.warn("the archive's consumer failed and begins anew", { reason: error.message });
    else this.#failed.reject(error);
  }

  #endGeneration(): void {
    this.#generation.abort();
    for (const { changed } of this.#works.values()) changed.resolve();
  }

  async #begin(assigned: readonly TopicPartition[], generation: AbortSignal): Promise<void> {
    const { consumer, store, log, limits, offsets, topic } = this.#deps;
    const positions = await this.#untilItWorks("its group's offsets", generation, () => offsets.positions(topic));
    for (const at of assigned) {
      const unknown: GroupPosition = { committed: undefined, metadata: "", earliest: 0 };
      const stands = positions?.get(at.partition) ?? unknown;
      const begin = () => whereToBegin(at, stands, { store, log, signal: generation });
      const position = await this.#untilItWorks("the objects", generation, begin).catch(this.#unlessUnreadable(at));
      if (generation.aborted) return;
      // Its other partitions are archived all the same.
      if (position === undefined) continue;
      const archiver = new PartitionArchiver(position, limits);
      const work = { at, archiver, isHalted: false, wantsMore: false, changed: Promise.withResolvers<void>() };
      this.#works.set(at.partition, work);
      consumer.resume([at]);
      this.#archive(work, generation).catch((thrown: unknown) => {
        if (!generation.aborted) this.#failed.reject(toError(thrown));
      });
    }
  }

  /** Stores one object after the other, as long as the generation lasts. */
  async #archive(work: Work, generation: AbortSignal): Promise<void> {
    const { archiver, at } = work;
    const { clock, onStored } = this.#deps;
    while (!generation.aborted) {
      const object = archiver.next(clock.ticks(), this.#isFull);
      if (object === undefined) {
        await this.#change(work);
        continue;
      }
      const standing = await this.#put(object, generation).catch(this.#unlessUnreadable(at));
      if (this.#halted.has(at.partition)) work.isHalted = true;
      if (standing === undefined || generation.aborted) return;
      const stored = await this.#recognized(work, object, standing, generation);
      if (generation.aborted) return;
      if (stored === undefined) {
        work.isHalted = true;
        this.#halt(at, "the archive holds other verdicts than the topic", { key: standing.key });
        return;
      }
      archiver.stored(stored);
      onStored(stored);
      await this.#commit(work);
      this.#weigh();
    }
  }

  /** An object that nobody can read stops its partition, and no verdict. */
  #unlessUnreadable(at: TopicPartition): (thrown: unknown) => undefined {
    return (thrown) => {
      if (!(thrown instanceof ObjectUnreadableError)) throw thrown;
      this.#halt(at, "an object of the archive cannot be read", { reason: thrown.message });
      return undefined;
    };
  }

  #halt(at: TopicPartition, why: string, fields: LogFields): void {
    this.#halted.add(at.partition);
    this.#deps.consumer.pause([at]);
    this.#deps.log.error(`${why}: this partition is archived no further`, { ...at, ...fields });
  }

  /** What is stored now, as far as it is what waits here; undefined when it is something else. */
  async #recognized(
    work: Work,
    object: ArchiveObject,
    standing: StoredObject,
    generation: AbortSignal,
  ): Promise<StoredObject | undefined> {
    if (standing === object) return object;
    for (;;) {
      const found = work.archiver.compare(standing.metadata);
      if (found !== "longer") {
        work.wantsMore = false;
        return found === "same" ? standing : undefined;
      }
      work.wantsMore = true;
      this.#deps.consumer.resume([work.at]);
      work.changed = Promise.withResolvers();
      await work.changed.promise;
      if (generation.aborted) return undefined;
    }
  }

  /** The object itself once it is stored, or what stood there before; undefined when the generation ended. */
  #put(object: ArchiveObject, generation: AbortSignal): Promise<StoredObject | undefined> {
    const { store } = this.#deps;
    return this.#untilItWorks("the store", generation, async () => (await store.putNew(object, generation)) ?? object);
  }

  async #commit({ archiver, at }: Work): Promise<void> {
    const { consumer, log } = this.#deps;
    const { next: offset } = archiver.position;
    try {
      await consumer.commit([{ ...at, offset, metadata: commitMetadata(archiver.position) }]);
    } catch (thrown) {
      log.warn("a commit of the archive was refused", { ...at, reason: toError(thrown).message });
    }
  }

  /** Tries again until it works, however long that takes. */
  async #untilItWorks<T>(what: string, generation: AbortSignal, ask: () => Promise<T>): Promise<T | undefined> {
    const { clock, random, log } = this.#deps;
    for (let attempt = 1; !generation.aborted; attempt++) {
      try {
        return await ask();
      } catch (thrown) {
        if (generation.aborted) return undefined;
        if (thrown instanceof AppError && !thrown.retryable) throw thrown;
        log.warn(`the archive waits for ${what}`, { attempt, reason: toError(thrown).message });
        await clock.sleep(backoffMs(AGAIN, attempt, random), generation).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Resolves when more waits, or when what waits is due. */
  async #change(work: Work): Promise<void> {
    const { clock } = this.#deps;
    const { dueAt } = work.archiver;
    work.changed = Promise.withResolvers();
    const woken = new AbortController();
    const due =
      dueAt === undefined ? [] : [clock.sleep(Math.max(0, dueAt - clock.ticks()), woken.signal).catch(() => undefined)];
    await Promise.race([work.changed.promise, ...due]);
    woken.abort();
  }

  /** Pauses reading at the bound, where everything is stored at once; resumes at half of it. */
  #weigh(): void {
    const { consumer, maxBytes } = this.#deps;
    const { bytes } = this;
    const reading = [...this.#works.values()].filter(({ isHalted, wantsMore }) => !isHalted && !wantsMore);
    const all = reading.map(({ at }) => at);
    if (!this.#isFull && bytes >= maxBytes) {
      this.#isFull = true;
      consumer.pause(all);
      for (const { changed } of reading) changed.resolve();
    } else if (this.#isFull && bytes <= maxBytes / 2) {
      this.#isFull = false;
      consumer.resume(all);
    }
  }
}
