import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/retry.ts";
import type {
  GroupConsumer,
  GroupHandler,
  GroupOffsets,
  GroupPosition,
  PartitionOffset,
  RecordPosition,
  StreamRecord,
  TopicPartition,
} from "../../kernel/stream.ts";
import { type ArchiveState, archiveState, bytesOf } from "../backlog/archive-state.ts";
import { isBeyondLog } from "../backlog/log-end.ts";
import type { ObjectStore } from "../object-store.ts";
import type { ArchiveObserver } from "./archive-observer.ts";
import { HaltedPartitions } from "./halted-partitions.ts";
import { type ArchiveLimits, ObjectCutter } from "./object-cutter.ts";
import { PartitionLoop, type PartitionLoopDeps } from "./partition-loop.ts";
import { Tries } from "./tries.ts";
import { type ArchiveStart, whereToBegin } from "./where-to-begin.ts";

export interface ArchiveLoopDeps {
  readonly consumer: GroupConsumer;
  readonly offsets: GroupOffsets;
  readonly store: ObjectStore;
  readonly topic: string;
  readonly limits: ArchiveLimits;
  /** The most bytes of waiting lines over all partitions. It must fit at least two objects. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observer: ArchiveObserver;
  readonly stop: AbortSignal;
}

/**
 * Archives the verdicts of a topic as one member of a consumer group. It archives each partition object by object. An
 * object is durable before it is committed, and committed before the next one begins. While the store is unavailable,
 * memory fills to its bound and reading pauses.
 *
 * Every generation of the group starts at the commit. An object that was stored but not committed is recognized by its
 * hash, whichever member stored it.
 */
export class ArchiveLoop implements GroupHandler {
  readonly #deps: ArchiveLoopDeps;
  readonly #failed = Promise.withResolvers<never>();
  readonly #halted: HaltedPartitions;
  readonly #tries: Tries;
  #works = new Map<number, PartitionLoop>();
  /** By partition, the end of the offsets that were lost in this generation. */
  #lostUntil = new Map<number, number>();
  /** The offsets that the group had committed when this generation began. */
  #committed = new Map<number, number>();
  /** How far the logs are known to hold what was read of them. */
  #agreesUntil = new Map<number, number>();
  /** Ends what the generation before has begun. */
  #generation = new AbortController();
  #isFull = false;
  #isJoined = false;
  #assigned: readonly number[] = [];
  #locating = 0;

  constructor(deps: ArchiveLoopDeps) {
    this.#deps = deps;
    this.#halted = new HaltedPartitions(deps);
    this.#tries = new Tries(deps);
    this.#failed.promise.catch(() => undefined);
  }

  get state(): ArchiveState {
    return archiveState({
      works: [...this.#works.values()],
      halted: this.#halted.all,
      isFull: this.#isFull,
      isJoined: this.#isJoined,
      locating: this.#locating,
      assigned: this.#assigned,
      tries: this.#tries,
      now: this.#deps.clock.ticks(),
    });
  }

  /** Runs until `stop`. @throws when the consumer has ended for good, or for a bug. */
  async run(): Promise<void> {
    const { consumer, stop } = this.#deps;
    const stopped = Promise.withResolvers<void>();
    const onStop = () => stopped.resolve();
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    try {
      // A join may take as long as other members delay it. A stop must work meanwhile.
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
    this.#lostUntil = new Map();
    this.#agreesUntil = new Map();
    this.#committed = new Map();
    this.#halted.clear();
    this.#isFull = false;
    this.#isJoined = true;
    this.#assigned = assigned.map(({ partition }) => partition);
    this.#locating = assigned.length;
    // No partition is read before its archive position is known.
    this.#deps.consumer.pause(assigned);
    this.#begin(assigned, this.#generation.signal).catch((thrown: unknown) => this.#failed.reject(toError(thrown)));
  }

  /** What is committed is asked for with the word that was committed with it. */
  located(places: readonly RecordPosition[]): void {
    for (const { topic, partition, agreesUntil } of places) {
      if (agreesUntil === undefined) continue;
      this.#agreesUntil.set(partition, agreesUntil);
      const work = this.#works.get(partition);
      if (work !== undefined) this.#isCut({ topic, partition }, work.archiver.position.next);
    }
  }

  lost({ partition }: PartitionOffset, until: number): void {
    this.#lostUntil.set(partition, until);
    this.#works.get(partition)?.skipTo(until);
  }

  rebalancing(): void {
    // Objects are committed as soon as they are stored, so there is nothing to do.
  }

  delivered(records: readonly StreamRecord[]): boolean {
    const [first] = records;
    const work = first === undefined ? undefined : this.#works.get(first.partition);
    if (work === undefined || work.isHalted || this.#deps.stop.aborted) return false;
    work.add(records);
    this.#weigh();
    return true;
  }

  /** A commit that is lost with its generation is made up for by the objects: they are recognized. */
  committed(offsets: readonly PartitionOffset[]): void {
    for (const { partition, offset } of offsets) this.#works.get(partition)?.committed(offset);
  }

  failed(error: Error, restarts: boolean): void {
    if (restarts) this.#deps.log.warn("the consumer of the archive failed and starts again", { reason: error.message });
    else this.#failed.reject(error);
  }

  #endGeneration(): void {
    this.#generation.abort();
    for (const work of this.#works.values()) work.wake();
  }

  async #begin(assigned: readonly TopicPartition[], generation: AbortSignal): Promise<void> {
    const { consumer, store, log, limits, offsets, topic } = this.#deps;
    const positions = await this.#tries.until("offsets", generation, () => offsets.positions(topic));
    const unknown: GroupPosition = { committed: undefined, metadata: "", earliest: 0 };
    // A partition that needs a request to the store does not delay other partitions.
    const locate = async (at: TopicPartition) => {
      const told = positions?.get(at.partition) ?? unknown;
      const stands = told.isLeaderless === true ? await this.#ledPosition(at, generation) : told;
      if (stands === undefined || this.#isOtherTopic(at, stands, generation)) return;
      if (stands.committed !== undefined) this.#committed.set(at.partition, stands.committed);
      const begin = () => whereToBegin(at, stands, { store, log, signal: generation });
      const found = await this.#tries.until("objects", generation, begin).catch(this.#halted.unlessUnreadable(at));
      const isOther = found !== undefined && (await this.#isOtherLog(at, found, stands, generation));
      if (generation.aborted) return;
      this.#locating--;
      // Its other partitions are archived all the same.
      if (found === undefined || isOther || this.#isCut(at, found.position.next)) return;
      const { position, last } = found;
      const work = new PartitionLoop(at, new ObjectCutter(position, limits), generation, this.#workDeps());
      this.#works.set(at.partition, work);
      work.skipTo(Math.max(stands.earliest, this.#lostUntil.get(at.partition) ?? 0));
      consumer.resume([at]);
      void work.run(last);
    };
    await Promise.all(assigned.map(locate));
  }

  /** Where the group stands in a partition that had no leader, once it has one; undefined when the generation ended. */
  #ledPosition(at: TopicPartition, generation: AbortSignal): Promise<GroupPosition | undefined> {
    const { offsets, topic } = this.#deps;
    return this.#tries.until("offsets", generation, async () => {
      const stands = (await offsets.positions(topic)).get(at.partition);
      if (stands?.isLeaderless !== true) return stands;
      throw new Error(`${topic}/${at.partition} has no leader`);
    });
  }

  /**
   * Halts a partition with an archive of an earlier topic of this name. Keys consist of name, date and offset, and the
   * offsets of the new topic begin at 0. So objects of both topics would share keys, and hashes would join them.
   */
  #isOtherTopic(
    at: TopicPartition,
    { committed, committedId: oldId, topicId: newId }: GroupPosition,
    generation: AbortSignal,
  ): boolean {
    if (oldId === undefined || newId === undefined || oldId === newId) return false;
    if (generation.aborted) return true;
    this.#locating--;
    const fields = { oldId, newId, ...(committed === undefined ? {} : { archived: committed - 1 }) };
    this.#halted.halt(at, "the topic was made anew under its name", fields);
    return true;
  }

  /** Halts a partition with an archive that is longer than its log. New records would otherwise count as archived. */
  async #isOtherLog(
    at: TopicPartition,
    { position, last }: ArchiveStart,
    { end = Number.POSITIVE_INFINITY }: GroupPosition,
    generation: AbortSignal,
  ): Promise<boolean> {
    const archived = Math.max(position.next - 1, last?.metadata.end ?? -1);
    if (archived < end) return false;
    if (!(await isBeyondLog(at, archived, generation, { ...this.#deps, tries: this.#tries }))) return false;
    const fields = { archived, end, key: last?.key ?? "" };
    if (!generation.aborted) this.#halted.halt(at, "the archive goes on beyond the end of the topic", fields);
    return true;
  }

  /**
   * Halts a partition with a log that lost archived verdicts: the log holds others in their place, and objects stay as
   * they are. The brokers compare the log with the epochs of the commit, so they say nothing of objects beyond it.
   */
  #isCut(at: TopicPartition, next: number): boolean {
    const end = this.#agreesUntil.get(at.partition);
    const compared = Math.min(next, this.#committed.get(at.partition) ?? next);
    if (end === undefined || end >= compared) return false;
    this.#halted.halt(at, "the topic lost verdicts that are archived", { archived: next - 1, end });
    return true;
  }

  #workDeps(): PartitionLoopDeps {
    const shared = { halted: this.#halted, tries: this.#tries };
    return { ...this.#deps, ...shared, isFull: () => this.#isFull, onFewer: () => this.#weigh() };
  }

  /** Pauses reading at the bound, when everything is stored at once. Resumes at half of the bound. */
  #weigh(): void {
    const { consumer, maxBytes } = this.#deps;
    const bytes = bytesOf(this.#works.values());
    const reading = [...this.#works.values()].filter(({ isMoving }) => isMoving);
    const all = reading.map(({ at }) => at);
    if (bytes >= maxBytes) {
      // A partition that was still read, because it needed no memory, may need memory by now.
      consumer.pause(all);
      if (!this.#isFull) for (const work of reading) work.wake();
      this.#isFull = true;
    } else if (this.#isFull && bytes <= maxBytes / 2) {
      this.#isFull = false;
      consumer.resume(all);
    }
  }
}
