import type { Clock } from "../../../kernel/clock.ts";
import { AppError, RecordTooLargeError, toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../../kernel/retry.ts";
import type { OutRecord, Publisher } from "../../../kernel/stream.ts";

/** The topic takes no batch of that size. */
export class BatchTooLargeError extends AppError {
  readonly code = "BATCH_TOO_LARGE";
  readonly retryable = false;
}

/** Records of one partition, each written down as it comes, in order. */
export interface OutBatch {
  /** How many it holds. */
  readonly count: number;
  /** Bytes that they take. */
  readonly size: number;
  /**
   * Writes one more down. @returns false when all of them would take more than `maxBytes`, and leaves it out; the first is
   * always taken.
   */
  add(record: OutRecord, maxBytes: number): boolean;
  /** The first `count` of them, and the others. */
  split(count: number): readonly [OutBatch, OutBatch];
  /** All of them, as the brokers take them; told anew each time they are sent. @param unixMs their time. */
  bytes(unixMs: number): Buffer;
}

/** Writes to one partition, once. Nothing is retried below this. */
export interface Sender {
  /** The partition of a key. @throws when the topic is not known. */
  partitionOf(topic: string, key: string): number;
  /** One that is empty. */
  newBatch(): OutBatch;
  /**
   * Resolves once all of `batch` is durable in that very partition.
   *
   * @throws {BatchTooLargeError} when none of it is; anything else when that is not certain.
   */
  send(topic: string, partition: number, batch: OutBatch): Promise<void>;
}

export interface PublisherDeps {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Most bytes of one send, but for a single record that is larger. */
  readonly maxBytes: number;
  /** Most bytes of a single record, sent alone: what every topic was found to take. Not less than `maxBytes`. */
  readonly maxRecordBytes: number;
  /** Ends every wait: what is not durable by then is told so. */
  readonly signal: AbortSignal;
}

/**
 * Records that are sent together, and are told of together: of those that had to be sent by halves, when the last half is
 * durable. One that its topic does not take, though it should, keeps the others of its parcel in work, which are sent again after a restart.
 */
interface Parcel {
  readonly batch: OutBatch;
  readonly durable: PromiseWithResolvers<void>;
}

/** A partition that is written to. */
interface Partition {
  readonly topic: string;
  readonly partition: number;
  /** What waits, in order; the last of them may be added to, but for one that is being sent. */
  readonly parcels: Parcel[];
  sending: Parcel | undefined;
  isDraining: boolean;
}

/** Sends at once, over all partitions: more contend for the client's locks. Chosen. */
const MAX_SENDS = 16;
const MAX_RECORDS = 1_000;
const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 100, maxMs: 5_000 };

/**
 * Writes records in order: one send at a time to a partition, holding records of that partition only. A send that may
 * have failed is sent again as it was, until it is certain: a record may be there twice, and is never lost. One that is
 * too large for its topic is sent by halves. A record that is larger than records may be is refused at once; one that is
 * not, and that its topic does not take, waits until an operator lets the topic take it.
 */
export class OrderedPublisher implements Publisher {
  readonly #deps: PublisherDeps;
  /** By topic and number. */
  readonly #partitions = new Map<string, (Partition | undefined)[]>();
  #sending = 0;
  readonly #turns: (() => void)[] = [];
  /** Partitions whose last send failed, and why, the one that has failed for longest first. */
  readonly #failing = new Map<Partition, string>();

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Records that are not durable yet. */
  get waiting(): number {
    let waiting = 0;
    for (const partitions of this.#partitions.values()) {
      for (const each of partitions) for (const { batch } of each?.parcels ?? []) waiting += batch.count;
    }
    return waiting;
  }

  /** Why something is not durable yet that was tried already. */
  get obstacle(): string | undefined {
    const [first] = this.#failing;
    if (first === undefined) return undefined;
    const [{ topic, partition }, reason] = first;
    return `writing to ${topic}/${partition} fails: ${reason}`;
  }

  /** All that is sent together shares a promise. */
  publish(record: OutRecord): Promise<void> {
    try {
      this.#deps.signal.throwIfAborted();
      const to = this.#partitionOf(record);
      const parcel = this.#add(record, to);
      if (!to.isDraining) void this.#drain(to);
      return parcel.durable.promise;
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  #partitionOf({ topic, key }: OutRecord): Partition {
    const partition = this.#deps.sender.partitionOf(topic, key);
    const ofTopic = this.#partitions.get(topic) ?? [];
    if (ofTopic.length === 0) this.#partitions.set(topic, ofTopic);
    ofTopic[partition] ??= { topic, partition, parcels: [], sending: undefined, isDraining: false };
    return ofTopic[partition];
  }

  #add(record: OutRecord, { parcels, sending }: Partition): Parcel {
    const { sender, maxBytes, maxRecordBytes } = this.#deps;
    const last = parcels.at(-1);
    if (last !== undefined && last !== sending && last.batch.count < MAX_RECORDS && last.batch.add(record, maxBytes)) {
      return last;
    }
    const next: Parcel = { batch: sender.newBatch(), durable: Promise.withResolvers() };
    next.batch.add(record, maxBytes);
    const { size } = next.batch;
    if (size > maxRecordBytes) {
      const what = `a record for ${record.topic} takes ${size} bytes, and ${maxRecordBytes} at most are written`;
      throw new RecordTooLargeError(what);
    }
    parcels.push(next);
    return next;
  }

  /** Works until nothing waits for the partition. What is being sent stays in front. */
  async #drain(to: Partition): Promise<void> {
    const { parcels } = to;
    to.isDraining = true;
    try {
      // What is published in the same turn shares a send.
      await Promise.resolve();
      for (let next = parcels[0]; next !== undefined; next = parcels[0]) {
        await this.#turn();
        to.sending = next;
        try {
          await this.#sendAll(to, next.batch);
        } finally {
          to.sending = undefined;
          // The place is handed over: nobody slips in between.
          const other = this.#turns.shift();
          if (other === undefined) this.#sending--;
          else other();
        }
        parcels.shift();
        next.durable.resolve();
      }
    } catch (thrown) {
      for (const { durable } of parcels.splice(0)) durable.reject(thrown);
    }
    to.isDraining = false;
  }

  async #sendAll(to: Partition, batch: OutBatch): Promise<void> {
    if (await this.#sendUntilCertain(to, batch)) return;
    for (const half of batch.split(Math.ceil(batch.count / 2))) await this.#sendAll(to, half);
  }

  /** @returns false when there are too many for one send, and none of them is written. */
  async #sendUntilCertain(to: Partition, batch: OutBatch): Promise<boolean> {
    const { sender, clock, random, log, signal } = this.#deps;
    const { topic, partition } = to;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        await sender.send(topic, partition, batch);
        this.#failing.delete(to);
        return true;
      } catch (thrown) {
        if (thrown instanceof BatchTooLargeError && batch.count > 1) return false;
        const reason = toError(thrown).message;
        this.#failing.set(to, reason);
        log.warn("a send failed and is made again", { topic, partition, attempt, reason });
        await clock.sleep(backoffMs(RETRY, attempt, random), signal);
      }
    }
  }

  async #turn(): Promise<void> {
    if (this.#sending >= MAX_SENDS) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#sending++;
  }
}
