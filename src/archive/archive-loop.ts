import type { Clock } from "../kernel/clock.ts";
import { toError } from "../kernel/errors.ts";
import type { Log, LogFields } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type {
  GroupConsumer,
  GroupHandler,
  GroupOffsets,
  GroupPosition,
  PartitionOffset,
  StreamRecord,
  TopicPartition,
} from "../kernel/stream.ts";
import type { ArchiveObserver } from "./archive-observer.ts";
import type { ArchiveObject, StoredObject } from "./object.ts";
import { type ObjectStore, ObjectUnreadableError } from "./object-store.ts";
import { type ArchiveLimits, PartitionArchiver } from "./partition-archiver.ts";
import { Tries } from "./tries.ts";
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
  readonly observer: ArchiveObserver;
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

/** How an archive stands, for operators. */
export interface ArchiveState {
  /** Whether the group has taken this process in. */
  readonly isJoined: boolean;
  /** Partitions of which it is not known yet where their archive goes on. */
  readonly locating: number;
  /** Since when it is not; ticks of the clock. Undefined while it is known of all. */
  readonly locatingSince: number | undefined;
  /** Partitions whose archive does not hold what their log holds, or cannot be read. */
  readonly halted: readonly number[];
  /** Bytes of lines that wait. */
  readonly bytes: number;
  /** When the oldest verdict that waits was written, Unix milliseconds; undefined while none waits. */
  readonly oldestAt: number | undefined;
  /** Since when nothing that is due was tried; ticks of the clock. Undefined while nothing is due. */
  readonly idleSince: number | undefined;
  readonly failing: Tries["failing"];
}

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
  #isJoined = false;
  #joinedAt = 0;
  #locating = 0;
  readonly #halted = new Set<number>();
  readonly #tries: Tries;

  constructor(deps: ArchiveLoopDeps) {
    this.#deps = deps;
    this.#tries = new Tries(deps);
    this.#failed.promise.catch(() => undefined);
  }

  get state(): ArchiveState {
    const works = [...this.#works.values()];
    // What waits for an object's other lines, or for somebody to look, is not due.
    const moving = works.filter(({ isHalted, wantsMore }) => !isHalted && !wantsMore);
    const dueAt = earliest(moving.map(({ archiver }) => archiver.dueAt));
    const isDue = dueAt !== undefined && (this.#isFull || dueAt <= this.#deps.clock.ticks());
    return {
      isJoined: this.#isJoined,
      locating: this.#locating,
      locatingSince: this.#locating > 0 ? this.#joinedAt : undefined,
      halted: [...this.#halted],
      bytes: this.#bytes,
      oldestAt: earliest(works.map(({ archiver }) => archiver.oldestAt)),
      // What became due after the last try waits since then.
      idleSince: isDue ? Math.max(this.#tries.endedAt, this.#isFull ? 0 : dueAt) : undefined,
      failing: this.#tries.failing,
    };
  }

  get #bytes(): number {
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
      // Joining a group may take as long as its members wait for each other: meanwhile it may be stopped.
      consumer.start(this).catch((thrown: unknown) => this.#failed.reject(toError(thrown)));
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
    this.#isJoined = true;
    // What waits longer than one generation began to wait in the first.
    if (this.#locating === 0) this.#joinedAt = this.#deps.clock.ticks();
    this.#locating = assigned.length;
    // Nothing is read before it is known where each partition's archive goes on.
    this.#deps.consumer.pause(assigned);
    this.#begin(assigned, this.#generation.signal).catch((thrown: unknown) => this.#failed.reject(toError(thrown)));
  }

  located(): void {
    // What is committed is asked for with the word that was committed with it.
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
    const positions = await this.#tries.until("offsets", generation, () => offsets.positions(topic));
    const unknown: GroupPosition = { committed: undefined, metadata: "", earliest: 0 };
    // One for which the store must be asked does not keep the others waiting.
    const locate = async (at: TopicPartition) => {
      const stands = positions?.get(at.partition) ?? unknown;
      const begin = () => whereToBegin(at, stands, { store, log, signal: generation });
      const position = await this.#tries.until("objects", generation, begin).catch(this.#unlessUnreadable(at));
      if (generation.aborted) return;
      this.#locating--;
      // Its other partitions are archived all the same.
      if (position === undefined) return;
      const archiver = new PartitionArchiver(position, limits);
      const work = { at, archiver, isHalted: false, wantsMore: false, changed: Promise.withResolvers<void>() };
      this.#works.set(at.partition, work);
      consumer.resume([at]);
      this.#archive(work, generation).catch((thrown: unknown) => {
        if (!generation.aborted) this.#failed.reject(toError(thrown));
      });
    };
    await Promise.all(assigned.map(locate));
  }

  /** Stores one object after the other, as long as the generation lasts. */
  async #archive(work: Work, generation: AbortSignal): Promise<void> {
    const { archiver, at } = work;
    const { clock, observer } = this.#deps;
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
      const waited = archiver.bytes;
      archiver.stored(stored);
      observer.stored(stored, waited - archiver.bytes);
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
    return this.#tries.until("store", generation, async () => (await store.putNew(object, generation)) ?? object);
  }

  async #commit({ archiver, at }: Work): Promise<void> {
    const { consumer, log, observer } = this.#deps;
    const { next: offset } = archiver.position;
    try {
      await consumer.commit([{ ...at, offset, metadata: commitMetadata(archiver.position) }]);
    } catch (thrown) {
      observer.failed("commit");
      log.warn("a commit of the archive was refused", { ...at, reason: toError(thrown).message });
    }
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
    const bytes = this.#bytes;
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

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
