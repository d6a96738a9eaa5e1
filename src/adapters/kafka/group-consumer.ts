import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from "kafkajs";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type {
  Commit,
  GroupHandler,
  PartitionOffset,
  SeekingConsumer,
  StreamRecord,
  TopicPartition,
} from "../../kernel/stream.ts";
import { within } from "../../kernel/within.ts";
import { logOf, startingPoints } from "./starting-points.ts";
import { steadyAssigner } from "./steady-assigner.ts";
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
/** Tries to learn where to begin, and what lies between two of them: about as long as the group waits for a member. */
const LOCATE_TRIES = 30;
const LOCATE_AGAIN_MS = 1_000;
const STOP_DEADLINE_MS = 3_000;
/** The headers that follow a request through many programs. */
export const CARRIED: readonly string[] = ["traceparent", "tracestate"];
const MAX_HEADER_BYTES = 512;

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
  /** Next offset to be read, by partition: a jump is worth a word. */
  readonly #next = new Map<string, number>();
  /** Where the handler wants to read in this generation, whatever the group committed. */
  readonly #sought = new Map<string, number>();
  /** Where each partition's log ended when it was last fetched. */
  readonly #ends = new Map<string, { readonly topic: string; readonly end: number }>();
  /** What the handler wants paused. */
  readonly #paused = new Set<string>();
  /** Partitions of this generation whose beginning is not known yet. */
  #heldBack = new Set<string>();
  #generation = 0;
  /** Whether kafkajs has a group to pause and resume in: between a crash and its restart it has none. */
  #isMember = false;
  readonly #stopping = new AbortController();
  #activeAt: number;

  constructor(options: GroupConsumerOptions) {
    const { kafka, groupId, sessionTimeoutMs, rebalanceTimeoutMs, clock } = options;
    this.#options = options;
    this.#activeAt = clock.ticks();
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

  /** Records that are written and not read yet, by topic, as far as fetches told. */
  lag(): ReadonlyMap<string, number> {
    const lags = new Map<string, number>();
    for (const [name, { topic, end }] of this.#ends) {
      const behind = Math.max(0, end - (this.#next.get(name) ?? end));
      lags.set(topic, (lags.get(topic) ?? 0) + behind);
    }
    return lags;
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
    consumer.on(FETCH_START, alive);
    consumer.on(HEARTBEAT, alive);
    consumer.on(STOP, () => this.#leave());
    consumer.on(START_BATCH_PROCESS, ({ payload }) => {
      // Markers of transactions, and what they aborted: kafkajs passes over a batch that holds nothing else.
      if (payload.batchSize === 0) this.#passed(payload, payload.lastOffset);
    });
    consumer.on(GROUP_JOIN, ({ payload }) => {
      alive();
      const assigned = Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => ({ topic, partition })),
      );
      this.#isMember = true;
      this.#next.clear();
      this.#sought.clear();
      this.#ends.clear();
      this.#heldBack = new Set(assigned.map(nameOf));
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
    for (const each of at) this.#paused.add(nameOf(each));
    if (this.#isMember && at.length > 0) this.#consumer.pause(byTopic(at));
  }

  resume(at: readonly TopicPartition[]): void {
    for (const each of at) this.#paused.delete(nameOf(each));
    const known = at.filter((each) => !this.#heldBack.has(nameOf(each)));
    if (this.#isMember && known.length > 0) this.#consumer.resume(byTopic(known));
  }

  seek(at: readonly PartitionOffset[]): void {
    for (const each of at) {
      const { topic, partition, offset } = each;
      this.#sought.set(nameOf(each), offset);
      this.#next.set(nameOf(each), offset);
      this.#consumer.seek({ topic, partition, offset: String(offset) });
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

  /** Lets the partitions of a generation be read, each from its beginning. Tries until that is known. */
  async #locate(generation: number, assigned: readonly TopicPartition[], handler: GroupHandler): Promise<void> {
    const { kafka, groupId, log, clock } = this.#options;
    for (let tried = 1; generation === this.#generation && assigned.length > 0; tried++) {
      try {
        const points = await startingPoints(kafka, groupId, assigned);
        if (generation === this.#generation) this.#begin(points);
        return;
      } catch (thrown) {
        if (generation !== this.#generation) return;
        const error = toError(thrown);
        log.warn("it is not known yet where to begin", { reason: error.message });
        if (tried === LOCATE_TRIES) return handler.failed(error, false);
        await clock.sleep(LOCATE_AGAIN_MS);
      }
    }
  }

  /** Has a partition read on from where it stands, or from where its log begins by now. */
  async #findBack(
    generation: number,
    { topic, partition, offset }: PartitionOffset,
    handler: GroupHandler,
  ): Promise<void> {
    const { kafka, log, clock } = this.#options;
    for (let tried = 1; generation === this.#generation; tried++) {
      let reason: string;
      try {
        const { low, high } = await logOf(kafka, topic, partition);
        if (generation !== this.#generation) return;
        if (low <= offset && offset <= high) return this.#readOn({ topic, partition, offset });
        if (low > offset) {
          this.#warnOfLoss({ topic, partition }, offset, low);
          return this.#readOn({ topic, partition, offset: low });
        }
        reason = `its log ends at ${high}, before what was read`;
      } catch (thrown) {
        reason = toError(thrown).message;
      }
      if (generation !== this.#generation) return;
      log.warn("it is not known yet where to read on", { topic, partition, offset, reason });
      if (tried === LOCATE_TRIES) {
        const what = `${topic}/${partition} cannot be read on from ${offset}: ${reason}: was the topic made anew, or its log cut?`;
        return handler.failed(new Error(what), false);
      }
      await clock.sleep(LOCATE_AGAIN_MS);
    }
  }

  #readOn(at: PartitionOffset): void {
    const name = nameOf(at);
    this.#next.set(name, at.offset);
    this.#consumer.seek({ topic: at.topic, partition: at.partition, offset: String(at.offset) });
    this.#heldBack.delete(name);
    if (!this.#paused.has(name)) this.resume([at]);
  }

  #begin(points: Awaited<ReturnType<typeof startingPoints>>): void {
    for (const { topic, partition, offset, lostFrom } of points) {
      const name = nameOf({ topic, partition });
      if (this.#sought.has(name)) continue;
      this.#next.set(name, offset);
      if (lostFrom !== undefined) this.#warnOfLoss({ topic, partition }, lostFrom, offset);
      this.#consumer.seek({ topic, partition, offset: String(offset) });
    }
    this.#heldBack.clear();
    this.resume(points.filter((each) => !this.#paused.has(nameOf(each))));
  }

  async #deliver(payload: EachBatchPayload, handler: GroupHandler): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload;
    const { topic, partition, messages } = batch;
    const name = nameOf(batch);
    // What was fetched before a pause or a seek comes again.
    if (!isRunning() || isStale() || this.#heldBack.has(name)) return;
    this.#ends.set(name, { topic, end: Number(batch.highWatermark) });
    const from = Number(Reflect.get(batch, "fetchedOffset"));
    const expected = this.#next.get(name);
    if (expected !== undefined && from !== expected) {
      // Fetched for another generation, or from another place than ours: what lies between must not be passed over.
      this.#heldBack.add(name);
      this.#consumer.pause(byTopic([batch]));
      void this.#findBack(this.#generation, { topic, partition, offset: expected }, handler);
      return;
    }
    const records = messages.map((message) => recordOf(topic, partition, message, this.#options.headers ?? CARRIED));
    const last = messages.at(-1);
    if (last === undefined || !handler.delivered(records)) return;
    this.#passed(batch, batch.lastOffset());
    resolveOffset(last.offset);
  }

  #passed(at: TopicPartition, lastOffset: string): void {
    this.#next.set(nameOf(at), Number(lastOffset) + 1);
  }

  #warnOfLoss({ topic, partition }: TopicPartition, from: number, until: number): void {
    const fields = { topic, partition, from, until };
    this.#options.log.warn("records were deleted before they were read: the topic keeps too little", fields);
  }
}

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

function recordOf(topic: string, partition: number, message: KafkaMessage, names: readonly string[]): StreamRecord {
  const { offset, timestamp, value, headers = {} } = message;
  const read: [string, string][] = [];
  for (const name of names) {
    const header = [headers[name]].flat()[0];
    if (header !== undefined && header.length <= MAX_HEADER_BYTES) read.push([name, header.toString()]);
  }
  return {
    topic,
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    value: value ?? undefined,
    headers: Object.fromEntries(read),
  };
}

function byTopic(at: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = Map.groupBy(at, ({ topic }) => topic);
  return Array.from(topics, ([topic, each]) => ({ topic, partitions: each.map(({ partition }) => partition) }));
}
