import type { Consumer, ConsumerStartBatchProcessEvent, EachBatchPayload } from "kafkajs";
import { withTimeout } from "../../../kernel/async.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Commit, GroupHandler, PartitionOffset, SeekingConsumer, TopicPartition } from "../../../kernel/stream.ts";
import { epochEnds } from "../offsets/epoch-ends.ts";
import { EpochLookup } from "../offsets/epoch-lookup.ts";
import { EpochsRead } from "../offsets/epochs-read.ts";
import { LogLookup, type LogStart, type Looking } from "../offsets/log-lookup.ts";
import { positionOf, type StartingPoint } from "../offsets/starting-points.ts";
import { LeaderWatch, leaderTracker } from "../topics/leader-tracker.ts";
import { tellAppearances, tellBeginning, tellLeaders, tellLost } from "../topics/tell-topics.ts";
import { topicMetadataCache } from "../topics/topic-metadata-cache.ts";
import { TopicsRead } from "../topics/topics-read.ts";
import { assignedIn, byTopic, commitOf, committedIn, handIn } from "./consumer-calls.ts";
import { fetchedPartitions } from "./fetched-partitions.ts";
import { type GroupConsumerOptions, openConsumer } from "./open-consumer.ts";
import { PassedHeaders } from "./passed-headers.ts";
import { ReadPositions } from "./read-positions.ts";
import { StalledFetches } from "./stalled-fetches.ts";
import { untilReached } from "./until-reached.ts";

const STOP_DEADLINE_MS = 3_000;

/**
 * A member of a consumer group on kafkajs. Its handler takes records and returns. Only `commit` commits offsets; the
 * progress of the client is only its read position.
 *
 * In every generation each partition is held back until its committed offset is known, and then read from there.
 * Otherwise a fetch of the previous generation could arrive in this one and be taken for its beginning. After a leader
 * moved, kafkajs joins again while it still fetches from the other brokers. The watermark would then begin past records
 * that are in flight.
 *
 * A generation also begins here, without the group, when a topic was deleted, is back, or was recreated under its name.
 * Its offsets then count from 0 again, and a fetch would silently go on at the old position.
 */
export class KafkaGroupConsumer implements SeekingConsumer {
  readonly #options: GroupConsumerOptions;
  readonly #consumer: Consumer;
  readonly #places = new ReadPositions();
  readonly #headers: PassedHeaders;
  readonly #stalls: StalledFetches;
  readonly #topics: TopicsRead;
  readonly #epochs = new EpochsRead();
  readonly #leaders: LeaderWatch;
  readonly #lookup: LogLookup;
  /** The partitions that the group assigned to this member. */
  #assigned: readonly TopicPartition[] = [];
  #generation = 0;
  /** Whether kafkajs has a group to pause and resume in. Between a crash and a restart it has none. */
  #isMember = false;
  readonly #stopping = new AbortController();
  #activeAt: number;

  constructor(options: GroupConsumerOptions) {
    this.#options = options;
    this.#activeAt = options.clock.ticks();
    this.#topics = new TopicsRead(options.topics, topicMetadataCache);
    this.#leaders = new LeaderWatch(options.topics, leaderTracker);
    const { kafka } = options;
    const epochLookup = new EpochLookup((topic, asked) => epochEnds(kafka, topic, asked, options));
    this.#lookup = new LogLookup({ ...options, topics: this.#topics, epochs: this.#epochs, epochLookup });
    this.#consumer = openConsumer(options);
    this.#headers = new PassedHeaders(options.headers ?? { names: [] }, options.log);
    this.#stalls = new StalledFetches(fetchedPartitions, options.log);
  }

  /** Unread records by topic, including records behind an open transaction, as far as fetches report them. */
  lag(): ReadonlyMap<string, number> {
    return this.#places.lag((at) => fetchedPartitions.endOf(at));
  }

  /** Partitions that are read: assigned by the group, and of existing topics. */
  get assigned(): readonly TopicPartition[] {
    return this.#places.assigned;
  }

  /** Per topic, the most consecutive fetches that returned bytes of a partition and made no progress. */
  fetchesWithoutProgress(): ReadonlyMap<string, number> {
    return this.#stalls.byTopic(this.assigned);
  }

  /** Configured topics that do not exist. They are left out until they do. */
  get missing(): readonly string[] {
    return this.#topics.missing;
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
      this.#lookAtTopics(handler);
    });
    consumer.on(HEARTBEAT, alive);
    consumer.on(STOP, () => this.#leave());
    consumer.on(START_BATCH_PROCESS, ({ payload }) => {
      // kafkajs silently skips a batch without readable records.
      if (payload.batchSize === 0) this.#passOver(payload, handler);
    });
    consumer.on(GROUP_JOIN, ({ payload }) => {
      alive();
      this.#isMember = true;
      this.#assigned = assignedIn(payload);
      this.#begin(handler);
    });
    consumer.on(REBALANCING, () => handler.rebalancing());
    consumer.on(COMMIT_OFFSETS, ({ payload }) => handler.committed(committedIn(payload)));
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
      this.#epochs.sought(each);
      this.#readFrom(each);
    }
  }

  async commit(offsets: readonly Commit[]): Promise<void> {
    const wanted = offsets.map((each) => commitOf(each, this.#topics.idsOf(each), this.#epochs.of(each)));
    await this.#consumer.commitOffsets(wanted);
  }

  async stop(): Promise<void> {
    this.#leave();
    this.#stopping.abort();
    await withTimeout(STOP_DEADLINE_MS, "the consumer did not leave", this.#consumer.disconnect()).catch(
      (thrown: unknown) => {
        this.#options.log.warn("the consumer did not leave its group in good order", {
          reason: toError(thrown).message,
        });
      },
    );
  }

  #leave(): void {
    this.#isMember = false;
    this.#generation++;
  }

  /** Leaves out missing topics, and begins a new generation when a topic differs from the one that is read. */
  #lookAtTopics(handler: GroupHandler): void {
    tellAppearances(this.#topics.appearances(), this.#options.log);
    tellLeaders(this.#leaders.changes(), this.#options.log);
    if (this.#topics.isOutdated() && this.#isMember) this.#begin(handler);
  }

  /** Begins a generation: each partition is read from its starting point, as soon as that is known. */
  #begin(handler: GroupHandler): void {
    const { readable, gone } = this.#topics.begin(this.#assigned, (at) => this.#places.nextOf(at));
    this.#places.joined(readable);
    if (this.#assigned.length > 0) this.#consumer.pause(byTopic(this.#assigned));
    handler.joined(readable, gone);
    const generation = ++this.#generation;
    for (const [topic, at] of Map.groupBy(readable, (each) => each.topic)) {
      void this.#locate(generation, topic, at, handler);
    }
  }

  /** Starts the partitions of one topic. A failure of another topic does not delay them. */
  async #locate(
    generation: number,
    topic: string,
    at: readonly TopicPartition[],
    handler: GroupHandler,
  ): Promise<void> {
    for await (const found of this.#lookup.beginnings(topic, at, this.#looking(generation, handler))) {
      this.#locatedAt(found.points, handler);
      for (const point of found.short) void this.#findBack(generation, point, handler, point);
    }
  }

  #locatedAt(points: readonly LogStart[], handler: GroupHandler): void {
    handler.located(points.map(positionOf));
    this.#topics.located(points);
    for (const point of points) {
      const { topic, partition, offset, lostFrom } = point;
      if (lostFrom !== undefined) handler.lost?.({ topic, partition, offset: lostFrom }, offset);
      tellBeginning(point, this.#options);
    }
    for (const point of this.#places.located(points)) {
      this.#epochs.located(point, point.offset, point.epochs);
      this.#beginAt(point);
    }
    this.resume(points.filter((each) => this.#places.isWanted(each)));
  }

  async #deliver(payload: EachBatchPayload, handler: GroupHandler): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload;
    // Records that were fetched before a pause or a seek are fetched again.
    if (!isRunning() || isStale() || this.#places.isHeldBack(batch)) return;
    const { topic, partition } = batch;
    const fetched = { topic, partition, offset: Number(Reflect.get(batch, "fetchedOffset")) };
    const expected = this.#places.astray(fetched);
    if (expected !== undefined) return this.#holdBack({ ...fetched, offset: expected }, handler);
    if (this.#isComparing(fetched, this.#epochs.newEpoch(batch, batch.messages), handler)) return;
    const last = handIn(payload, handler, this.#headers);
    if (last === undefined) return;
    fetchedPartitions.progressed(batch);
    const isWhole = last === batch.messages.at(-1);
    const lastOffset = Number(isWhole ? batch.lastOffset() : last.offset);
    this.#places.passed(batch, lastOffset);
    this.#epochs.read(batch, batch.messages.slice(0, batch.messages.indexOf(last) + 1));
    resolveOffset(last.offset);
    if (lastOffset === Number(last.offset)) return;
    const passedOver = fetchedPartitions.epochsOf(batch).filter(({ from }) => from > Number(last.offset));
    this.#epochs.passed(batch, passedOver, lastOffset + 1);
    handler.passed?.({ topic, partition }, lastOffset + 1);
  }

  #holdBack(at: PartitionOffset, handler: GroupHandler): void {
    this.#consumer.pause(byTopic([at]));
    void this.#findBack(this.#generation, at, handler);
  }

  /** Whether the log is compared first, because a fetch begins with another epoch. */
  #isComparing(at: PartitionOffset, newEpoch: number | undefined, handler: GroupHandler): boolean {
    if (newEpoch === undefined) return false;
    this.#places.doubted(at);
    this.#consumer.pause(byTopic([at]));
    void this.#compare(this.#generation, at, newEpoch, handler);
    return true;
  }

  #passOver({ topic, partition, ...batch }: ConsumerStartBatchProcessEvent["payload"], handler: GroupHandler): void {
    const [first, last] = [Number(batch.firstOffset ?? batch.lastOffset), Number(batch.lastOffset)];
    const at = { topic, partition };
    const epochs = fetchedPartitions.epochsOf(at);
    const offset = this.#places.isHeldBack(at) ? undefined : this.#places.nextOf(at);
    const newEpoch = this.#epochs.newEpochOf(at, epochs[0]?.epoch);
    if (offset !== undefined && this.#isComparing({ ...at, offset }, newEpoch, handler)) return;
    const expected = this.#places.emptied({ ...at, offset: first }, last);
    const next = this.#places.nextOf(at);
    if (expected === undefined && next === last + 1) {
      this.#epochs.passed(at, epochs, next);
      handler.passed?.(at, next);
    }
    if (expected !== undefined) this.#holdBack({ ...at, offset: expected }, handler);
  }

  /**
   * Resumes a partition at its position, or at the present beginning of its log. When the log is another one, all
   * partitions begin a new generation.
   *
   * @param place the starting point that the handler does not know yet.
   */
  async #findBack(generation: number, at: PartitionOffset, handler: GroupHandler, place?: LogStart): Promise<void> {
    const topicId = place === undefined ? this.#topics.idOf(at) : place.topicId;
    const epochs = place === undefined ? this.#epochs.of(at) : [];
    const looking = this.#looking(generation, handler);
    const point = await this.#lookup.until(() => this.#lookup.goOn(at, topicId, epochs), looking);
    if (point === undefined) return;
    if (point === "another" || point === "truncated") return this.#begin(handler);
    if (place !== undefined) return this.#locatedAt([{ ...place, ...point }], handler);
    if (point.lostFrom !== undefined) handler.lost?.({ ...at, offset: point.lostFrom }, point.offset);
    this.#foundBack(point);
  }

  /**
   * Compares the log with the read records where the leader has changed. Reads on where the leader has all of them, and
   * otherwise begins a new generation for all partitions.
   */
  async #compare(generation: number, at: PartitionOffset, epoch: number, handler: GroupHandler): Promise<void> {
    const holds = await this.#lookup.until(() => this.#lookup.holds(at), this.#looking(generation, handler));
    if (holds === false) this.#begin(handler);
    if (holds !== true) return;
    this.#epochs.compared(at, epoch);
    this.#foundBack(at);
  }

  #foundBack(point: StartingPoint): void {
    this.#places.foundBack(point);
    this.#beginAt(point);
    if (this.#places.isWanted(point)) this.resume([point]);
  }

  #looking(generation: number, handler: GroupHandler): Looking {
    const isOver = () => generation !== this.#generation;
    return { isOver, onGivenUp: (error) => handler.failed(error, false) };
  }

  #beginAt(point: StartingPoint): void {
    tellLost(point, this.#options.log);
    this.#readFrom(point);
  }

  #readFrom({ topic, partition, offset }: PartitionOffset): void {
    this.#consumer.seek({ topic, partition, offset: String(offset) });
  }
}
