import type { Clock } from "../../../kernel/clock.ts";
import { AppError, RecordTooLargeError, toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../../kernel/retry.ts";
import type { OutRecord, Publisher } from "../../../kernel/stream.ts";

/** The topic does not accept a batch of that size. */
export class BatchTooLargeError extends AppError {
  readonly code = "BATCH_TOO_LARGE";
  readonly retryable = false;
}

/** Records of one partition, in order. Each record is serialized as it is added. */
export interface OutBatch {
  /** Number of records. */
  readonly count: number;
  /** Size of the records in bytes. */
  readonly size: number;
  /**
   * Adds a record. The first record is always added.
   *
   * @returns false, without adding the record, when the batch would exceed `maxBytes`.
   */
  add(record: OutRecord, maxBytes: number): boolean;
  /** Two batches: the first `count` records, and the rest. */
  split(count: number): readonly [OutBatch, OutBatch];
  /** The batch in the format of the brokers, serialized again for each send. @param unixMs timestamp of the records. */
  bytes(unixMs: number): Buffer;
}

/** Writes to one partition, without retries. */
export interface Sender {
  /** The partition of a key. @throws when the topic is not known. */
  partitionOf(topic: string, key: string | Uint8Array): number;
  /** Creates an empty batch. */
  newBatch(): OutBatch;
  /**
   * Resolves once all records of `batch` are durable in the given partition.
   *
   * @throws {BatchTooLargeError} when no record is durable. Any other error when that is not certain.
   */
  send(topic: string, partition: number, batch: OutBatch): Promise<void>;
}

export interface PublisherDeps {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Largest send in bytes, unless a single record is larger. */
  readonly maxBytes: number;
  /**
   * Largest single record in bytes, sent alone. All topics were found to accept this size. Not less than `maxBytes`.
   */
  readonly maxRecordBytes: number;
  /** Ends every wait. Records that are not durable by then are rejected. */
  readonly signal: AbortSignal;
}

/**
 * Records that are sent together and reported together. If they have to be sent by halves, they are reported when the
 * last half is durable. A record that its topic should accept, and does not, keeps the other records of its parcel in
 * flight. They are sent again after a restart.
 */
interface Parcel {
  readonly batch: OutBatch;
  readonly durable: PromiseWithResolvers<void>;
}

/** A partition that the publisher writes to. */
interface Partition {
  readonly topic: string;
  readonly partition: number;
  /** Parcels that wait, in order. Records may be added to the last parcel unless it is being sent. */
  readonly parcels: Parcel[];
  sending: Parcel | undefined;
  isDraining: boolean;
}

/** Concurrent sends over all partitions. More sends contend for the client's locks. Chosen. */
const MAX_SENDS = 16;
const MAX_RECORDS = 1_000;
const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 100, maxMs: 5_000 };

/**
 * Writes records in order, with one send at a time per partition. A send contains records of one partition only. A send
 * that may have failed is repeated unchanged until it is certain. A record may be duplicated, and is never lost. A
 * batch that is too large for its topic is sent by halves. A record beyond the largest record size is refused at once.
 * A smaller record that its topic does not accept waits until an operator raises the limit of the topic.
 */
export class OrderedPublisher implements Publisher {
  readonly #deps: PublisherDeps;
  /** By topic and number. */
  readonly #partitions = new Map<string, (Partition | undefined)[]>();
  #sending = 0;
  readonly #turns: (() => void)[] = [];
  /** Partitions with a failed last send, and the reason. The partition that has failed for longest comes first. */
  readonly #failing = new Map<Partition, string>();

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Number of records that are not durable yet. */
  get waiting(): number {
    let waiting = 0;
    for (const partitions of this.#partitions.values()) {
      for (const each of partitions) for (const { batch } of each?.parcels ?? []) waiting += batch.count;
    }
    return waiting;
  }

  /** Why a record that was already sent is not durable yet. */
  get obstacle(): string | undefined {
    const [first] = this.#failing;
    if (first === undefined) return undefined;
    const [{ topic, partition }, reason] = first;
    return `writing to ${topic}/${partition} fails: ${reason}`;
  }

  /** All records that are sent together share a promise. */
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

  /** Sends until no parcel waits for the partition. The parcel that is being sent stays first. */
  async #drain(to: Partition): Promise<void> {
    const { parcels } = to;
    to.isDraining = true;
    try {
      // Records that are published in the same microtask share a send.
      await Promise.resolve();
      for (let next = parcels[0]; next !== undefined; next = parcels[0]) {
        await this.#turn();
        to.sending = next;
        try {
          await this.#sendAll(to, next.batch);
        } finally {
          to.sending = undefined;
          // The permit to send is handed over directly, so that no other partition takes it in between.
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

  /** @returns false when the records are too many for one send, and no record is written. */
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
        log.warn("a write to a topic failed: Weir repeats the write", { topic, partition, attempt, reason });
        await clock.sleep(backoffMs(RETRY, attempt, random), signal);
      }
    }
  }

  async #turn(): Promise<void> {
    if (this.#sending >= MAX_SENDS) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#sending++;
  }
}
