import type { Consumer, ConsumerStartBatchProcessEvent, EachBatchPayload, Kafka } from "kafkajs";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type { Commit, GroupHandler, PartitionOffset, SeekingConsumer, TopicPartition } from "../../kernel/stream.ts";
import { within } from "../../kernel/within.ts";
import { askOffsets } from "./group-offsets.ts";
import { partitionsSeen } from "./partitions-seen.ts";
import { ReadingPlaces } from "./reading-places.ts";
import { StalledFetches } from "./stalled-fetches.ts";
import { goOn, type StartingPoint, startingPoints } from "./starting-points.ts";
import { steadyAssigner } from "./steady-assigner.ts";
import { CARRIED, streamRecord } from "./stream-record.ts";
import { untilReached } from "./until-reached.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** How long the members of a group wait for each other, milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** How soon a new partition is noticed, milliseconds. Otherwise a minute. */
  readonly metadataMaxAgeMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Headers of a record that are read; by default those that go on with all that follows from it. */
  readonly headers?: readonly string[];
}

/** How long a fetch waits for records, milliseconds: what is resumed is read so much later at most. */
const MAX_WAIT_MS = 250;
const MAX_BYTES_A_PARTITION = 262_144;
const MAX_BYTES = 4 * 1024 * 1024;
const METADATA_MAX_AGE_MS = 60_000;
/** How long the brokers may not say where to read on, milliseconds: as long as work may stand still. Source: K13. */
const LOOK_PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 1_000;
const STOP_DEADLINE_MS = 3_000;

/**
 * A member of a consumer group on kafkajs. Its handler takes records in and returns; nothing is committed but by
 * `commit`. The client's own notion of progress is only its place of reading.
 *
 * In every generation each partition is first held back, until what the group committed is known, and then read from
 * there. Otherwise a fetch of the generation before, whose answer arrives in this one, would be taken for its beginning:
 * after a leader moved, kafkajs joins again while it goes on fetching from the other brokers, and the watermark would
 * begin past records that are in work.
 */
export class KafkaGroupConsumer implements SeekingConsumer {
  readonly #options: GroupConsumerOptions;
  readonly #consumer: Consumer;
  readonly #places = new ReadingPlaces();
  readonly #stalls: StalledFetches;
  #generation = 0;
  /** Whether kafkajs has a group to pause and resume in: between a crash and its restart it has none. */
  #isMember = false;
  readonly #stopping = new AbortController();
  #activeAt: number;

  constructor(options: GroupConsumerOptions) {
    const { kafka, groupId, sessionTimeoutMs, rebalanceTimeoutMs, clock } = options;
    this.#options = options;
    this.#activeAt = clock.ticks();
    this.#stalls = new StalledFetches(partitionsSeen, options.log);
    this.#consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      heartbeatInterval: Math.min(3_000, Math.floor(sessionTimeoutMs / 4)),
      maxWaitTimeInMs: MAX_WAIT_MS,
      minBytes: 1,
      maxBytesPerPartition: MAX_BYTES_A_PARTITION,
      maxBytes: MAX_BYTES,
      metadataMaxAge: options.metadataMaxAgeMs ?? METADATA_MAX_AGE_MS,
      partitionAssigners: [steadyAssigner],
      allowAutoTopicCreation: false,
      readUncommitted: false,
    });
  }

  /** Records that are written and not read yet, by topic: those behind an open transaction too, as far as fetches told. */
  lag(): ReadonlyMap<string, number> {
    return this.#places.lag((at) => partitionsSeen.endOf(at));
  }

  /** What the group gave to this process. */
  get assigned(): readonly TopicPartition[] {
    return this.#places.assigned;
  }

  /** Fetches in a row that brought bytes of a partition and did not get beyond them, by topic the most. */
  fetchesWithoutProgress(): ReadonlyMap<string, number> {
    return this.#stalls.byTopic(this.assigned);
  }

  get activeAt(): number {
    return this.#activeAt;
  }

  async start(handler: GroupHandler): Promise<void> {
    const consumer = this.#consumer;
    const { GROUP_JOIN, REBALANCING, COMMIT_OFFSETS, CRASH, STOP, FETCH_START, HEARTBEAT, START_BATCH_PROCESS } =
      consumer.events;
    const alive = () => {
      this.#activeAt = this.#options.clock.ticks();
    };
    consumer.on(FETCH_START, () => {
      alive();
      this.#stalls.look(this.assigned);
    });
    consumer.on(HEARTBEAT, alive);
    consumer.on(STOP, () => this.#leave());
    consumer.on(START_BATCH_PROCESS, ({ payload }) => {
      // kafkajs passes over a batch that holds nothing to be read, without a word to whoever reads.
      if (payload.batchSize === 0) this.#passOver(payload, handler);
    });
    consumer.on(GROUP_JOIN, ({ payload }) => {
      alive();
      const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      this.#isMember = true;
      this.#places.joined(assigned);
      consumer.pause(byTopic(assigned));
      handler.joined(assigned);
      void this.#locate(++this.#generation, assigned, handler);
    });
    consumer.on(REBALANCING, () => handler.rebalancing());
    consumer.on(COMMIT_OFFSETS, ({ payload }) => {
      handler.committed(
        payload.topics.flatMap(({ topic, partitions }) =>
          partitions.map(({ partition, offset }) => ({ topic, partition: Number(partition), offset: Number(offset) })),
        ),
      );
    });
    consumer.on(CRASH, ({ payload }) => handler.failed(toError(payload.error), payload.restart));
    const reach = async () => {
      await consumer.connect();
      await consumer.subscribe({ topics: [...this.#options.topics], fromBeginning: true });
    };
    await untilReached(reach, { ...this.#options, signal: this.#stopping.signal });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.#deliver(payload, handler),
    });
  }

  pause(at: readonly TopicPartition[]): void {
    this.#places.paused(at);
    if (this.#isMember && at.length > 0) this.#consumer.pause(byTopic(at));
  }

  resume(at: readonly TopicPartition[]): void {
    const known = this.#places.resumed(at);
    if (this.#isMember && known.length > 0) this.#consumer.resume(byTopic(known));
  }

  seek(at: readonly PartitionOffset[]): void {
    for (const each of at) {
      this.#places.sought(each);
      this.#readFrom(each);
    }
  }

  async commit(offsets: readonly Commit[]): Promise<void> {
    await this.#consumer.commitOffsets(
      offsets.map(({ topic, partition, offset, metadata = "" }) => ({
        topic,
        partition,
        offset: String(offset),
        metadata,
      })),
    );
  }

  async stop(): Promise<void> {
    this.#leave();
    this.#stopping.abort();
    await within(STOP_DEADLINE_MS, "the consumer did not leave", this.#consumer.disconnect()).catch(
      (thrown: unknown) => {
        this.#options.log.warn("the consumer did not leave in good order", { reason: toError(thrown).message });
      },
    );
  }

  #leave(): void {
    this.#isMember = false;
    this.#generation++;
  }

  /** Lets the partitions of a generation be read, each from its beginning, as soon as that is known. */
  async #locate(generation: number, assigned: readonly TopicPartition[], handler: GroupHandler): Promise<void> {
    const { kafka, groupId } = this.#options;
    if (assigned.length === 0) return;
    const points = await this.#known(generation, handler, () => startingPoints(kafka, groupId, assigned));
    if (points === undefined) return;
    handler.located(points.map(({ lostFrom, offset, ...commit }) => ({ ...commit, offset: lostFrom ?? offset })));
    for (const { lostFrom, offset, ...at } of points) {
      if (lostFrom !== undefined) handler.lost?.({ ...at, offset: lostFrom }, offset);
    }
    for (const point of this.#places.located(points)) this.#beginAt(point);
    this.resume(points.filter((each) => this.#places.isWanted(each)));
  }

  async #deliver(payload: EachBatchPayload, handler: GroupHandler): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload;
    // What was fetched before a pause or a seek comes again.
    if (!isRunning() || isStale() || this.#places.isHeldBack(batch)) return;
    const { topic, partition } = batch;
    const fetched = { topic, partition, offset: Number(Reflect.get(batch, "fetchedOffset")) };
    const expected = this.#places.astray(fetched);
    if (expected !== undefined) {
      this.#consumer.pause(byTopic([batch]));
      void this.#findBack(this.#generation, { ...fetched, offset: expected }, handler);
      return;
    }
    const names = this.#options.headers ?? CARRIED;
    const records = batch.messages.map((message) => streamRecord(batch, message, names));
    const last = batch.messages.at(-1);
    if (last === undefined || !handler.delivered(records)) return;
    const lastOffset = Number(batch.lastOffset());
    this.#places.passed(batch, lastOffset);
    resolveOffset(last.offset);
    if (lastOffset > Number(last.offset)) handler.passed?.({ topic, partition }, lastOffset + 1);
  }

  #passOver({ topic, partition, ...batch }: ConsumerStartBatchProcessEvent["payload"], handler: GroupHandler): void {
    const [first, last] = [Number(batch.firstOffset ?? batch.lastOffset), Number(batch.lastOffset)];
    const expected = this.#places.emptied({ topic, partition, offset: first }, last);
    const next = this.#places.nextOf({ topic, partition });
    if (expected === undefined && next === last + 1) handler.passed?.({ topic, partition }, next);
    if (expected === undefined) return;
    this.#consumer.pause([{ topic, partitions: [partition] }]);
    void this.#findBack(this.#generation, { topic, partition, offset: expected }, handler);
  }

  /** Has a partition read on from where it stands, or from where its log begins by now. */
  async #findBack(generation: number, at: PartitionOffset, handler: GroupHandler): Promise<void> {
    const { kafka, groupId } = this.#options;
    const point = await this.#known(generation, handler, async () =>
      goOn(at, (await askOffsets(kafka, groupId, at.topic)).get(at.partition)),
    );
    if (point === undefined) return;
    if (point.lostFrom !== undefined) handler.lost?.({ ...at, offset: point.lostFrom }, point.offset);
    this.#places.foundBack(point);
    this.#beginAt(point);
    if (this.#places.isWanted(at)) this.resume([at]);
  }

  /** What `look` finds, which looks until it does. @returns undefined once the generation is over, or has failed. */
  async #known<T>(generation: number, handler: GroupHandler, look: () => Promise<T>): Promise<T | undefined> {
    const { log, clock } = this.#options;
    const until = clock.ticks() + LOOK_PATIENCE_MS;
    while (generation === this.#generation) {
      const found = await look().catch(toError);
      if (generation !== this.#generation) break;
      if (!(found instanceof Error)) return found;
      log.warn("it is not known yet where to read on", { reason: found.message });
      if (clock.ticks() >= until) {
        handler.failed(found, false);
        break;
      }
      await clock.sleep(LOOK_AGAIN_MS);
    }
    return undefined;
  }

  #beginAt(point: StartingPoint): void {
    const { topic, partition, offset, lostFrom } = point;
    if (lostFrom !== undefined) {
      const fields = { topic, partition, from: lostFrom, until: offset };
      this.#options.log.warn("records were deleted before they were read: the topic keeps too little", fields);
    }
    this.#readFrom(point);
  }

  #readFrom({ topic, partition, offset }: PartitionOffset): void {
    this.#consumer.seek({ topic, partition, offset: String(offset) });
  }
}

function byTopic(at: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = Map.groupBy(at, ({ topic }) => topic);
  return Array.from(topics, ([topic, each]) => ({ topic, partitions: each.map(({ partition }) => partition) }));
}
