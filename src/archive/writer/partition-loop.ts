import type { Steps } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import type { Log, LogFields } from "../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../kernel/retry.ts";
import type { GroupConsumer, GroupOffsets, StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import { isBeyondLog } from "../backlog/log-end.ts";
import { type ArchiveObject, chainSha256, type StoredObject } from "../object.ts";
import { type ObjectStore, ObjectUnreadableError } from "../object-store.ts";
import type { ArchiveObserver } from "./archive-observer.ts";
import type { HaltedPartitions } from "./halted-partitions.ts";
import type { ObjectCutter } from "./object-cutter.ts";
import { readBack } from "./read-back.ts";
import type { Tries } from "./tries.ts";
import { commitMetadata } from "./where-to-begin.ts";

export interface PartitionLoopDeps {
  readonly consumer: Pick<GroupConsumer, "commit" | "resume">;
  readonly offsets: GroupOffsets;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observer: ArchiveObserver;
  readonly tries: Tries;
  readonly halted: HaltedPartitions;
  /** Whether memory is full, so that all waiting verdicts are stored at once. */
  readonly isFull: () => boolean;
  /** Called when fewer bytes wait than before. */
  readonly onFewer: () => void;
}

/** An existing object was deleted this many times at its key, which is no accident. */
const MAX_PUTS = 3;

/** A coordinator that moves is found within seconds. */
const COMMIT_AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 1_000, maxMs: 30_000 };

/**
 * One partition in one generation of the group: stores and commits one object after the other.
 *
 * | state | entered when | what happens | left when |
 * | --- | --- | --- | --- |
 * | comparing | an object exists at its next key | the topic is read to the object's end and compared | equal: committed; different: halted |
 * | collecting | the last object is committed | verdicts wait until a limit is reached | an object is cut |
 * | storing | an object is cut | the object is put until the store takes it | stored: committed; another object exists: comparing |
 * | committed | an object is stored | the offset is committed, and repeated until a broker takes it | at once: collecting |
 * | halted | the archive and the topic differ, or an object is unreadable | nothing is stored; other partitions continue | the generation ends |
 */
export class PartitionLoop {
  readonly at: TopicPartition;
  readonly archiver: ObjectCutter;
  readonly #deps: PartitionLoopDeps;
  readonly #generation: AbortSignal;
  #changed = Promise.withResolvers<void>();
  /** One commit at a time: an earlier one that is late would put the group back. */
  #committing: Promise<void> = Promise.resolve();
  /** The offset that was last to be committed, and the last one that the brokers took. */
  #offered = 0;
  #taken = 0;
  #isCommittingAgain = false;

  constructor(at: TopicPartition, archiver: ObjectCutter, generation: AbortSignal, deps: PartitionLoopDeps) {
    this.at = at;
    this.archiver = archiver;
    this.#generation = generation;
    this.#deps = deps;
  }

  get isHalted(): boolean {
    return this.#deps.halted.has(this.at);
  }

  /**
   * Whether the partition can store its waiting verdicts. It cannot when it is halted. It also cannot while the
   * existing object under its next key is longer than the waiting verdicts. In that case reading continues even when
   * other partitions are paused.
   */
  get isMoving(): boolean {
    return !this.isHalted && this.archiver.checked !== "longer";
  }

  /** Adds records. A record without a value is no verdict. */
  add(records: readonly StreamRecord[]): void {
    const { clock } = this.#deps;
    const [ticks, now] = [clock.ticks(), clock.now()];
    for (const { offset, value, timestamp } of records) {
      if (value !== undefined) this.archiver.add({ offset, line: value, writtenAt: timestamp }, ticks, now - timestamp);
    }
    this.wake();
  }

  /**
   * The records below `until` were deleted before they were read. The loss is reported, and the archive keeps the gap.
   */
  skipTo(until: number): void {
    const { log, observer } = this.#deps;
    const from = this.archiver.skipTo(until);
    if (from === undefined) return;
    log.error("the topic deleted verdicts before the archive read them", { ...this.at, from, until });
    observer.lost(until - from);
    // Without the commit, the next member of the partition would find and count the same loss again.
    if (this.archiver.bytes === 0) void this.#commit();
    this.wake();
  }

  /** The brokers took this commit. */
  committed(offset: number): void {
    this.#taken = Math.max(this.#taken, offset);
  }

  /** Something is different: it looks again at what it may store. */
  wake(): void {
    this.#changed.resolve();
  }

  /**
   * Runs until the generation ends or the partition is halted. A bug, or a foreign record in the topic, halts the
   * partition too. Other partitions and the rest of the process continue.
   *
   * @param last the existing object right after the position. It is compared with the topic before anything else is
   * stored.
   */
  async run(last?: StoredObject): Promise<void> {
    try {
      // An object that has disappeared is made again at its key.
      if (last === undefined || (await this.#settle(last)) !== false) await this.#archive();
    } catch (thrown) {
      // The message may repeat contents of the record.
      const reason = thrown instanceof AppError ? thrown.message : toError(thrown).name;
      if (!this.#generation.aborted) this.#halt("what waits cannot be archived", { reason });
    }
  }

  async #archive(): Promise<void> {
    const { clock, isFull } = this.#deps;
    while (!this.#generation.aborted) {
      const steps = this.archiver.next(clock.ticks(), isFull());
      if (steps === undefined) await this.#change();
      else {
        const object = await this.#made(steps);
        if (object === undefined || !(await this.#store(object))) return;
      }
    }
  }

  /**
   * An object of many MiB takes time, so other work runs between two steps. @returns undefined when the generation
   * ended.
   */
  async #made(steps: Steps<ArchiveObject>): Promise<ArchiveObject | undefined> {
    while (!this.#generation.aborted) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await this.#deps.clock.sleep(0, this.#generation).catch(() => undefined);
    }
    return undefined;
  }

  /** @returns whether the partition continues. */
  async #store(object: ArchiveObject): Promise<boolean> {
    for (let puts = 1; !this.#generation.aborted; puts++) {
      const standing = await this.#orHalt(() => this.#put(object));
      if (standing === undefined || this.#generation.aborted) return false;
      if (standing === object) return this.#settled(standing);
      const isSettled = await this.#settle(standing, object);
      if (isSettled !== "gone") return isSettled;
      // The existing object is gone, so the key is free.
      if (puts === MAX_PUTS)
        return this.#halt("an object of the archive is deleted again and again", { key: object.key });
    }
    return false;
  }

  /** The value of `read`. An unreadable object halts the partition, and the result is undefined. */
  async #orHalt<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof ObjectUnreadableError)) throw thrown;
      this.#halt("an object of the archive cannot be read", { reason: thrown.message });
      return undefined;
    }
  }

  /**
   * Continues after an existing object that matches the waiting verdicts. Halts the partition when they differ.
   *
   * @returns whether the partition continues; `gone` when the object no longer exists.
   */
  async #settle(seen: StoredObject, own?: ArchiveObject): Promise<boolean | "gone"> {
    const { key } = seen;
    const standing = await this.#orHalt(() => readBack(seen, this.#generation, this.#deps));
    if (standing === undefined || this.#generation.aborted || this.isHalted) return false;
    if (standing === "broken") return this.#halt("an object of the archive does not hold what it says", { key });
    if (standing === "gone") {
      this.#deps.log.error("an archive object was deleted during a read", { ...this.at, key });
      return "gone";
    }
    // When the answer to a put was lost, the same object exists already. It need not be compared with the topic.
    const isOwn = own !== undefined && chainSha256(standing) === chainSha256(own);
    const isSame = isOwn || (await this.#isSame(standing));
    if (this.#generation.aborted) return false;
    return isSame
      ? this.#settled(standing)
      : this.#halt("the archive holds other verdicts than the topic", { key: standing.key });
  }

  async #settled(standing: StoredObject): Promise<boolean> {
    const { observer, onFewer } = this.#deps;
    observer.stored(standing, this.archiver.stored(standing));
    await this.#commit();
    onFewer();
    return true;
  }

  /** The next member reads the waiting verdicts again, so their memory is released. */
  #halt(why: string, fields: LogFields): false {
    this.#deps.halted.halt(this.at, why, fields);
    this.archiver.drop();
    this.#deps.onFewer();
    return false;
  }

  /** The object itself once it is stored, or the existing object. Undefined when the generation ended. */
  #put(object: ArchiveObject): Promise<StoredObject | undefined> {
    const { store, tries } = this.#deps;
    const put = async () => (await store.putNew(object, this.#generation)) ?? object;
    return tries.until("store", this.#generation, put);
  }

  /**
   * Whether the existing object holds the records of the topic. The topic must be read to the object's end for that.
   */
  async #isSame({ metadata }: StoredObject): Promise<boolean> {
    const { archiver } = this;
    const compared = archiver.compare(metadata);
    if (compared !== "longer") return compared === "same";
    archiver.check(metadata);
    // The comparison needs no memory, so the partition is read even when other partitions are paused.
    this.#deps.consumer.resume([this.at]);
    this.#deps.onFewer();
    if (await isBeyondLog(this.at, metadata.end, this.#generation, this.#deps)) return false;
    while (archiver.checked === "longer" && !this.#generation.aborted) {
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
    }
    return archiver.checked === "same";
  }

  /** Commits where the archive stands; again and again in the background, where the brokers do not take it. */
  async #commit(): Promise<void> {
    await this.#tryCommit();
    if (this.#offered > this.#taken && !this.#isCommittingAgain) void this.#commitAgain();
  }

  /** Nothing else would commit it: in an idle topic no further object comes. */
  async #commitAgain(): Promise<void> {
    const { clock, random } = this.#deps;
    this.#isCommittingAgain = true;
    for (let attempt = 1; this.#offered > this.#taken && !this.#generation.aborted; attempt++) {
      await clock.sleep(backoffMs(COMMIT_AGAIN, attempt, random), this.#generation).catch(() => undefined);
      if (this.#offered > this.#taken && !this.#generation.aborted) await this.#tryCommit();
    }
    this.#isCommittingAgain = false;
  }

  #tryCommit(): Promise<void> {
    this.#committing = this.#committing.then(() => this.#commitOnce());
    return this.#committing;
  }

  /** A commit that waited for an earlier one is not made once the partition may be another member's. */
  async #commitOnce(): Promise<void> {
    if (this.#generation.aborted) return;
    const { consumer, log, observer } = this.#deps;
    const { position } = this.archiver;
    this.#offered = position.next;
    try {
      await consumer.commit([{ ...this.at, offset: position.next, metadata: commitMetadata(position) }]);
      if (this.#offered > this.#taken) throw new Error("no broker acknowledged the commit");
    } catch (thrown) {
      if (this.#generation.aborted) return;
      observer.failed("commit");
      log.warn("the brokers refused a commit of the archive", { ...this.at, reason: toError(thrown).message });
    }
  }

  /** Resolves when more verdicts wait, or when an object is due. */
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
