import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
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
import { type ArchiveLimits, PartitionArchiver } from "./partition-archiver.ts";
import { PartitionWork, type PartitionWorkDeps } from "./partition-work.ts";
import { Tries } from "./tries.ts";
import { type ArchiveStart, whereToBegin } from "./where-to-begin.ts";

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
  readonly #halted: HaltedPartitions;
  readonly #tries: Tries;
  #works = new Map<number, PartitionWork>();
  /** Where partitions are read from in this generation, of which records are lost. */
  #lostUntil = new Map<number, number>();
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
    this.#lostUntil = new Map();
    this.#agreesUntil = new Map();
    this.#halted.clear();
    this.#isFull = false;
    this.#isJoined = true;
    this.#assigned = assigned.map(({ partition }) => partition);
    this.#locating = assigned.length;
    // Nothing is read before it is known where each partition's archive goes on.
    this.#deps.consumer.pause(assigned);
    this.#begin(assigned, this.#generation.signal).catch((thrown: unknown) => this.#failed.reject(toError(thrown)));
  }

  /** What is committed is asked for with the word that was committed with it. */
  located(places: readonly RecordPosition[]): void {
    for (const { topic, partition, agreesUntil } of places) {
      if (agreesUntil === undefined) continue;
      this.#agreesUntil.set(partition, agreesUntil);
      const next = this.#works.get(partition)?.archiver.position.next;
      if (next !== undefined) this.#isCut({ topic, partition }, next);
    }
  }

  lost({ partition }: PartitionOffset, until: number): void {
    this.#lostUntil.set(partition, until);
    this.#works.get(partition)?.skipTo(until);
  }

  rebalancing(): void {
    // What is stored is committed at once: there is nothing to hurry with.
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
    if (restarts) this.#deps.log.warn("the archive's consumer failed and begins anew", { reason: error.message });
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
    // One for which the store must be asked does not keep the others waiting.
    const locate = async (at: TopicPartition) => {
      const told = positions?.get(at.partition) ?? unknown;
      const stands = told.isLeaderless === true ? await this.#ledPosition(at, generation) : told;
      if (stands === undefined || this.#isOtherTopic(at, stands, generation)) return;
      const begin = () => whereToBegin(at, stands, { store, log, signal: generation });
      const found = await this.#tries.until("objects", generation, begin).catch(this.#halted.unlessUnreadable(at));
      const isOther = found !== undefined && (await this.#isOtherLog(at, found, stands, generation));
      if (generation.aborted) return;
      this.#locating--;
      // Its other partitions are archived all the same.
      if (found === undefined || isOther || this.#isCut(at, found.position.next)) return;
      const { position, last } = found;
      const work = new PartitionWork(at, new PartitionArchiver(position, limits), generation, this.#workDeps());
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
   * Halts a partition whose archive is of a topic that had the name before: names of objects are made of name, date and
   * offset, which begins at 0 again, so that objects of both would share names and hashes would join them.
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

  /** Halts a partition whose archive is longer than its log: whatever comes would be taken for archived. */
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
   * Halts a partition whose log lost verdicts that are archived: it holds others in their place, and objects stay as they are.
   */
  #isCut(at: TopicPartition, next: number): boolean {
    const end = this.#agreesUntil.get(at.partition);
    if (end === undefined || end >= next) return false;
    this.#halted.halt(at, "the topic lost verdicts that are archived", { archived: next - 1, end });
    return true;
  }

  #workDeps(): PartitionWorkDeps {
    const shared = { halted: this.#halted, tries: this.#tries };
    return { ...this.#deps, ...shared, isFull: () => this.#isFull, onFewer: () => this.#weigh() };
  }

  /** Pauses reading at the bound, where everything is stored at once; resumes at half of it. */
  #weigh(): void {
    const { consumer, maxBytes } = this.#deps;
    const bytes = bytesOf(this.#works.values());
    const reading = [...this.#works.values()].filter(({ isMoving }) => isMoving);
    const all = reading.map(({ at }) => at);
    if (bytes >= maxBytes) {
      // One that was read all the same, since it needed no memory, may need some by now.
      consumer.pause(all);
      if (!this.#isFull) for (const work of reading) work.wake();
      this.#isFull = true;
    } else if (this.#isFull && bytes <= maxBytes / 2) {
      this.#isFull = false;
      consumer.resume(all);
    }
  }
}
