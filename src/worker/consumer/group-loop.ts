import { abortable } from "../../kernel/async.ts";
import { type Clock, plausibleTime } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type {
  GroupConsumer,
  GroupHandler,
  PartitionOffset,
  RecordPosition,
  StreamRecord,
  TopicPartition,
} from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";
import type { PartitionNow } from "../ports.ts";
import { Assigned } from "./assigned.ts";
import { ConsumerDeadError } from "./errors.ts";
import { type DeliveredBatch, InWork } from "./in-work.ts";
import { type ProgressDeps, ProgressWatch } from "./progress-watch.ts";
import { Restarts } from "./restarts.ts";

export interface GroupLoopDeps<L extends string = Lane> extends ProgressDeps<L> {
  readonly consumer: GroupConsumer;
  readonly intake: OffsetTracker<L>;
  readonly laneOf: (topic: string) => L;
  /** Resolves once the record is completed. @throws only a bug or an abort. */
  readonly work: (record: StreamRecord, lane: L, place: PartitionNow) => Promise<void>;
  /** Whether a record is past its deadline when it is read, by when it was written, Unix milliseconds; by default none is. */
  readonly isOverdue?: (lane: L, writtenAt: number, now: number) => boolean;
  /**
   * A promise while the records need a schema that is not at hand. Their partition waits meanwhile, and other partitions
   * go on. Rejects only for a bug.
   */
  readonly prepare?: (records: readonly StreamRecord[]) => Promise<void> | undefined;
  /** What work on a record holds until it is settled, bytes, by those of its value; by default these alone. */
  readonly heldBytes?: (value: Uint8Array | undefined) => number;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Ends the loop in order: no new record is admitted, the work in flight may end, and completed offsets are committed.
   */
  readonly stop: AbortSignal;
  /** How long the work in flight may take to end, milliseconds. */
  readonly drainMs: number;
}

const COMMIT_EVERY_MS = 1_000;
const COMMIT_AFTER = 500;
/**
 * Shortest time between two commits that are due to the number of records, milliseconds. At full speed 500 records
 * complete 40 times a second.
 */
const COMMIT_PAUSE_MS = 100;
/** Attempts of the last commit. After that, the records behind it are redelivered. */
const LAST_COMMITS = 3;
/** Time limit of all attempts of the last commit, milliseconds. A broker that is gone does not answer. */
const LAST_COMMITS_MS = 3_000;
/** An idle member without a failure for this long is healthy, milliseconds. Chosen: six heartbeats or more. */
const WELL_MS = 60_000;

/**
 * One member of a consumer group. It admits records at once, processes them concurrently, and commits up to the first
 * uncompleted record. A record that is redelivered while it is being processed is not processed twice.
 */
export class GroupLoop<L extends string = Lane> implements GroupHandler {
  readonly #deps: GroupLoopDeps<L>;
  readonly #assigned: Assigned<L>;
  readonly #restarts: Restarts;
  /** Aborts with the reason that ended the loop. */
  readonly #ended = new AbortController();
  readonly #inWork = new InWork<L>();
  readonly #progress: ProgressWatch<L>;
  #joinedAt: number | undefined;
  #settledSinceCommit = 0;
  #committedAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #isLooking = false;
  #committing: Promise<void> | undefined;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(deps: GroupLoopDeps<L>) {
    this.#deps = deps;
    this.#assigned = new Assigned(deps.intake, deps.laneOf);
    this.#restarts = new Restarts();
    this.#progress = new ProgressWatch(deps, deps.clock.ticks());
  }

  /** Records in flight. */
  get inFlight(): number {
    return this.#inWork.size;
  }

  /** Whether this process has joined the group. */
  get isJoined(): boolean {
    return this.#joinedAt !== undefined;
  }

  /** The longest time that a partition of the lane has had work without moving its watermark, milliseconds. */
  stalledPartitionMs(lane: L): number {
    return this.#progress.stalledPartitionMs(lane);
  }

  /** When the oldest record in flight of the lane was written, Unix milliseconds. */
  oldestAt(lane: L): number | undefined {
    return this.#inWork.oldestAt(lane);
  }

  /** Runs until `stop`. @throws {ConsumerDeadError | WorkerStuckError} or a bug. */
  async run(): Promise<void> {
    const { consumer, clock, stop } = this.#deps;
    const ended = this.#ended.signal;
    const over = AbortSignal.any([stop, ended]);
    try {
      // A join takes as long as the members of the group wait for each other. The loop is watched, and may be stopped,
      // meanwhile.
      consumer.start(this).catch((thrown: unknown) => this.#end(toError(thrown)));
      for (;;) {
        await clock.sleep(COMMIT_EVERY_MS, over).catch(() => undefined);
        ended.throwIfAborted();
        if (stop.aborted) break;
        const stuck = this.#progress.look(this.#inWork.size, clock.ticks());
        if (stuck !== undefined) this.#end(stuck);
        void this.#commit();
      }
      await abortable(this.#drain(), ended);
    } finally {
      this.#isStopping = true;
      await consumer.stop();
    }
  }

  joined(assigned: readonly TopicPartition[], gone?: readonly TopicPartition[]): void {
    const now = this.#deps.clock.ticks();
    this.#joinedAt = now;
    this.#assigned.joined(assigned, gone);
    // A commit of the previous generation may take long to be refused.
    this.#committing = undefined;
    this.#progress.moved(now);
    // A pause of the previous generation may still be in force. A full lane is paused again after its next delivery.
    if (this.#isStopping) this.#deps.consumer.pause(assigned);
    else this.#deps.consumer.resume(assigned);
  }

  located(places: readonly RecordPosition[]): void {
    this.#assigned.located(places);
  }

  rebalancing(): void {
    void this.#commit();
  }

  delivered(records: readonly StreamRecord[]): boolean {
    if (this.#isStopping) return false;
    try {
      return this.#admit(records);
    } catch (thrown) {
      this.#end(toError(thrown));
      return false;
    }
  }

  passed(at: TopicPartition, until: number): void {
    if (this.#isStopping || !this.#assigned.begin({ ...at, offset: until })) return;
    this.#deps.intake.pass({ ...at, epoch: this.#assigned.epoch }, until);
    this.#look();
  }

  committed(offsets: readonly PartitionOffset[]): void {
    for (const offset of offsets) this.#deps.intake.confirmed(offset);
  }

  failed(error: Error, restarts: boolean): void {
    const { log, clock } = this.#deps;
    const now = clock.ticks();
    const isWell = this.#inWork.size === 0 && now - (this.#joinedAt ?? now) >= WELL_MS;
    if (isWell) this.#restarts.progress();
    this.#joinedAt = undefined;
    if (!restarts) this.#end(new ConsumerDeadError(`the consumer has ended: ${error.message}`, {}, { cause: error }));
    else if (this.#restarts.isOneTooMany(now)) {
      const what = "the consumer begins anew again and again, and nothing is settled";
      this.#end(new ConsumerDeadError(`${what}: ${error.message}`, {}, { cause: error }));
    } else log.warn("the consumer failed and starts again", { reason: error.message });
  }

  #admit(records: readonly StreamRecord[]): boolean {
    const [first] = records;
    if (first === undefined || !this.#assigned.begin(first)) return false;
    const { intake, laneOf, clock, isOverdue = () => false } = this.#deps;
    const { heldBytes = (value) => value?.byteLength ?? 0 } = this.#deps;
    const missing = this.#deps.prepare?.(records);
    if (missing !== undefined) return this.#hold(first, missing);
    const epoch = this.#assigned.epoch;
    const now = clock.now();
    const { topic, partition } = first;
    const lane = laneOf(topic);
    const writtenAt = ({ timestamp }: StreamRecord) => plausibleTime(timestamp, now) ?? now;
    const firstAt = writtenAt(first);
    if (!intake.mayAdmit(first, isOverdue(lane, firstAt, now) ? now - firstAt : undefined)) {
      this.#look();
      return false;
    }
    if (this.#inWork.size === 0) this.#progress.moved(clock.ticks());
    const begun = { topic, partition, offset: first.offset, epoch };
    const place = { isOurs: () => intake.isOurs(begun), isCrowded: () => intake.isCrowded(begun) };
    const delivered: DeliveredBatch<L> = { topic, partition, lane, epoch, place, writtenAt: [], left: 0 };
    for (const record of records) {
      const { offset } = record;
      const [at, bytes] = [writtenAt(record), heldBytes(record.value)];
      const admission = intake.admit({ topic, partition, offset, epoch, bytes, isOverdue: isOverdue(lane, at, now) });
      if (admission === "new") this.#begin(record, delivered, at);
    }
    this.#look();
    return true;
  }

  /** The records are refused, so they are fetched again once they can be read. */
  #hold(at: TopicPartition, missing: Promise<void>): false {
    const { intake } = this.#deps;
    intake.hold(at, true);
    this.#look();
    missing
      .then(() => {
        intake.hold(at, false);
        this.#look();
      })
      .catch((thrown: unknown) => this.#end(toError(thrown)));
    return false;
  }

  #begin(record: StreamRecord, delivered: DeliveredBatch<L>, writtenAt: number): void {
    const { offset } = record;
    const at = this.#inWork.begin(delivered, writtenAt);
    // Nothing here may keep the record: its value is a view of all that was fetched with it.
    this.#deps
      .work(record, delivered.lane, delivered.place)
      .then(
        () => this.#done(offset, delivered, at),
        (thrown: unknown) => this.#gaveUp(delivered, at, thrown),
      )
      // A record that cannot be completed is a bug. A process that no longer knows which work is done must leave the
      // group.
      .catch((thrown: unknown) => this.#end(toError(thrown)));
  }

  #done(offset: number, delivered: DeliveredBatch<L>, at: number): void {
    const { topic, partition, epoch } = delivered;
    this.#leftWork(delivered, at);
    const now = this.#deps.clock.ticks();
    this.#progress.moved(now);
    this.#restarts.progress();
    if (this.#deps.intake.settle({ topic, partition, offset, epoch })) this.#settledSinceCommit++;
    if (this.#settledSinceCommit >= COMMIT_AFTER && now - this.#committedAt >= COMMIT_PAUSE_MS) void this.#commit();
    this.#look();
  }

  /** The record is not completed, so it is redelivered. */
  #gaveUp(delivered: DeliveredBatch<L>, at: number, thrown: unknown): void {
    // Work that the end of the loop interrupts is not reported. Only the reason of the end is.
    if (!this.#isStopping && !this.#deps.stop.aborted) this.#end(toError(thrown));
    this.#leftWork(delivered, at);
  }

  #leftWork(delivered: DeliveredBatch<L>, at: number): void {
    this.#inWork.end(delivered, at);
    if (this.#inWork.size === 0) this.#idle?.resolve();
  }

  /** Pauses full lanes and resumes lanes with room, once for all events of one microtask. */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    queueMicrotask(() => {
      this.#isLooking = false;
      try {
        if (!this.#isStopping) this.#pauseAndResume();
      } catch (thrown) {
        // An exception in a microtask would end the process without leaving the group.
        this.#end(toError(thrown));
      }
    });
  }

  #pauseAndResume(): void {
    const { pause, resume } = this.#deps.intake.changes();
    if (pause.length > 0) this.#deps.consumer.pause(pause);
    if (resume.length > 0) this.#deps.consumer.resume(resume);
  }

  /** Runs at most one commit of a generation at a time. A refused commit is no failure: its records are redelivered. */
  #commit(): Promise<void> {
    if (this.#committing !== undefined) return this.#committing;
    const offsets = this.#deps.intake.commits();
    if (offsets.length === 0) return Promise.resolve();
    this.#settledSinceCommit = 0;
    this.#committedAt = this.#deps.clock.ticks();
    const refused = (thrown: unknown) =>
      this.#deps.log.warn("the brokers refused a commit", { reason: toError(thrown).message });
    const committing = this.#deps.consumer
      .commit(offsets)
      .catch(refused)
      .finally(() => {
        if (this.#committing === committing) this.#committing = undefined;
      });
    this.#committing = committing;
    return committing;
  }

  async #drain(): Promise<void> {
    const { consumer, drainMs, log } = this.#deps;
    this.#isStopping = true;
    consumer.pause(this.#assigned.partitions);
    if (this.#inWork.size > 0) {
      this.#idle = Promise.withResolvers();
      await this.#atMost(drainMs, this.#idle.promise);
      if (this.#inWork.size > 0)
        log.warn("events that did not complete in time will be read again", { events: this.#inWork.size });
    }
    await this.#atMost(LAST_COMMITS_MS, this.#commitLast());
  }

  async #commitLast(): Promise<void> {
    await this.#committing;
    for (let tried = 0; tried < LAST_COMMITS && this.#deps.intake.commits().length > 0; tried++) await this.#commit();
  }

  /** Waits for `done`, but no longer than `ms`. */
  async #atMost(ms: number, done: Promise<void>): Promise<void> {
    const woken = new AbortController();
    await Promise.race([done, this.#deps.clock.sleep(ms, woken.signal).catch(() => undefined)]);
    woken.abort();
  }

  #end(error: Error): void {
    this.#ended.abort(error);
  }
}
