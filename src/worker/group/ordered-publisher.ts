import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../kernel/retry.ts";
import type { OutRecord, Publisher } from "../../kernel/stream.ts";

/** The topic takes no batch of that size. */
export class BatchTooLargeError extends AppError {
  readonly code = "BATCH_TOO_LARGE";
  readonly retryable = false;
}

/** Writes to one partition, once. Nothing is retried below this. */
export interface Sender {
  /** The partition of a key. @throws when the topic is not known. */
  partitionOf(topic: string, key: string): number;
  /**
   * Resolves once all of `records` are durable in that very partition.
   *
   * @throws {BatchTooLargeError} when none of them is; anything else when that is not certain.
   */
  send(topic: string, partition: number, records: readonly OutRecord[]): Promise<void>;
}

export interface PublisherDeps {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Most bytes of records in one send: keys, values and headers. */
  readonly maxBytes: number;
  /** Ends every wait: what is not durable by then is told so. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly record: OutRecord;
  readonly done: () => void;
  readonly failed: (reason: unknown) => void;
}

/** Sends at once, over all partitions: more contend for the client's locks. Source: library-traps K18. */
const MAX_SENDS = 16;
const MAX_RECORDS = 1_000;
const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 100, maxMs: 5_000 };

/**
 * Writes records in order: one send at a time to a partition, holding records of that partition only. A send that may
 * have failed is sent again as it was, until it is certain: a record may be there twice, and is never lost. One that is
 * too large for its topic is sent by halves.
 */
export class OrderedPublisher implements Publisher {
  readonly #deps: PublisherDeps;
  readonly #queues = new Map<string, Waiting[]>();
  #sending = 0;
  readonly #turns: (() => void)[] = [];
  /** Partitions whose last send failed, and why, the one that has failed for longest first. */
  readonly #failing = new Map<string, string>();

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** Records that are not durable yet. */
  get waiting(): number {
    let waiting = 0;
    for (const queue of this.#queues.values()) waiting += queue.length;
    return waiting;
  }

  /** Why something is not durable yet that was tried already. */
  get obstacle(): string | undefined {
    const [first] = this.#failing;
    return first === undefined ? undefined : `writing to ${first[0]} fails: ${first[1]}`;
  }

  publish(record: OutRecord): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    try {
      this.#enqueue({ record, done: resolve, failed: reject });
    } catch (thrown) {
      reject(thrown);
    }
    return promise;
  }

  #enqueue(waiting: Waiting): void {
    const { sender, signal } = this.#deps;
    signal.throwIfAborted();
    const { topic, key } = waiting.record;
    const partition = sender.partitionOf(topic, key);
    const name = `${topic}/${partition}`;
    const queue = this.#queues.get(name);
    if (queue !== undefined) queue.push(waiting);
    else {
      const begun = [waiting];
      this.#queues.set(name, begun);
      void this.#drain(name, { topic, partition }, begun);
    }
  }

  /** Works until the partition's queue is empty. What is being sent stays at its front. */
  async #drain(
    name: string,
    at: { readonly topic: string; readonly partition: number },
    queue: Waiting[],
  ): Promise<void> {
    try {
      // What is published in the same turn shares a send.
      await Promise.resolve();
      while (queue.length > 0) {
        await this.#turn();
        let count = this.#fitting(queue);
        try {
          while (!(await this.#sendUntilCertain(at, queue.slice(0, count)))) count = Math.ceil(count / 2);
        } finally {
          // The place is handed over: nobody slips in between.
          const next = this.#turns.shift();
          if (next === undefined) this.#sending--;
          else next();
        }
        for (const { done } of queue.splice(0, count)) done();
      }
    } catch (thrown) {
      for (const { failed } of queue.splice(0)) failed(thrown);
    }
    this.#queues.delete(name);
  }

  /** @returns false when there are too many for one batch, and none of them is written. */
  async #sendUntilCertain(
    { topic, partition }: { readonly topic: string; readonly partition: number },
    batch: readonly Waiting[],
  ): Promise<boolean> {
    const { sender, clock, random, log, signal } = this.#deps;
    const records = batch.map(({ record }) => record);
    const name = `${topic}/${partition}`;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        await sender.send(topic, partition, records);
        this.#failing.delete(name);
        return true;
      } catch (thrown) {
        if (thrown instanceof BatchTooLargeError && batch.length > 1) return false;
        const reason = toError(thrown).message;
        this.#failing.set(name, reason);
        log.warn("a send failed and is made again", { topic, partition, attempt, reason });
        await clock.sleep(backoffMs(RETRY, attempt, random), signal);
      }
    }
  }

  /** How many records of the front fit into one send; at least one. */
  #fitting(queue: readonly Waiting[]): number {
    let bytes = 0;
    let count = 0;
    for (const { record } of queue) {
      bytes += sizeOf(record);
      if (count > 0 && (bytes > this.#deps.maxBytes || count >= MAX_RECORDS)) break;
      count++;
    }
    return count;
  }

  async #turn(): Promise<void> {
    if (this.#sending >= MAX_SENDS) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#sending++;
  }
}

/** What a record has beside its texts: lengths, times, an offset. Source: Kafka's record format, at most 36 bytes. */
const RECORD_BYTES = 48;

/** At least what a record takes in a send. Headers and keys hold no text beyond ASCII but for what a trace brings. */
function sizeOf({ key, value, headers }: OutRecord): number {
  let bytes = RECORD_BYTES + value.byteLength + Buffer.byteLength(key);
  for (const name in headers) bytes += 4 + name.length + Buffer.byteLength(headers[name] ?? "");
  return bytes;
}
