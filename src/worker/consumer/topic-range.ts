import type { Clock } from "../../kernel/clock.ts";
import type {
  GroupHandler,
  PartitionOffset,
  RecordPosition,
  SeekingConsumer,
  StreamRecord,
  TopicPartition,
} from "../../kernel/stream.ts";
import { ConsumerDeadError, GroupBusyError } from "./errors.ts";

/** The range of one partition to read. */
export interface OffsetRange extends TopicPartition {
  readonly from: number;
  /** Not included. */
  readonly end: number;
}

export interface TopicRangeDeps {
  readonly consumer: SeekingConsumer;
  /**
   * One range for each partition of the topic, including empty partitions. A member with any other partition shares the
   * group.
   */
  readonly ranges: readonly OffsetRange[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** At this many bytes of values that wait for the reader, the partitions are paused. A fetch may still be in flight. */
const MAX_BYTES = 8 * 1024 * 1024;
/**
 * Longest time without a record while records are left, milliseconds. A forming group and a moving leader take less.
 */
const SILENCE_MS = 90_000;
const COMMITS = 3;

/**
 * Reads a topic between two offsets of each partition, as the only member of its group. It can be read several times.
 * Records that arrive later are ignored. After a rebalance it continues at the same position.
 */
export class TopicRange implements GroupHandler {
  readonly #deps: TopicRangeDeps;
  /** Next offset to read, by partition. */
  readonly #next = new Map<number, number>();
  readonly #committed = new Map<number, number>();
  /**
   * Partitions that have reported a position. Only their logs count as known: an earlier commit may refer to an older
   * log.
   */
  readonly #located = new Set<number>();
  #queue: (readonly StreamRecord[])[] = [];
  #bytes = 0;
  #isFull = false;
  #hasJoined = false;
  #error: Error | undefined;
  #wake = Promise.withResolvers<void>();

  constructor(deps: TopicRangeDeps) {
    this.#deps = deps;
  }

  /** @throws when the group cannot be reached. */
  async start(): Promise<void> {
    for (const { partition, end } of this.#deps.ranges) this.#next.set(partition, end);
    await this.#deps.consumer.start(this);
  }

  /**
   * Yields every record of the ranges, in order within each partition. Only one caller may read at a time.
   *
   * @throws {ConsumerDeadError | GroupBusyError}
   */
  async *read(): AsyncGenerator<StreamRecord> {
    this.#queue = [];
    this.#bytes = 0;
    for (const { partition, from } of this.#deps.ranges) this.#next.set(partition, from);
    if (this.#hasJoined) this.#position();
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const records = this.#queue.shift();
      if (records !== undefined) {
        yield* records;
        this.#bytes -= bytesOf(records);
        if (this.#isFull && this.#bytes <= MAX_BYTES / 2) this.#setFull(false);
      } else if (this.#open().length === 0) return;
      else await this.#more();
    }
  }

  /** Commits the ends of the ranges. @throws {ConsumerDeadError} when the commit is not certain. */
  async commit(): Promise<void> {
    const { consumer, ranges } = this.#deps;
    const offsets = ranges.map(({ topic, partition, end }) => ({ topic, partition, offset: end }));
    let cause: unknown;
    for (let tried = 0; tried < COMMITS; tried++) {
      await consumer.commit(offsets).catch((thrown: unknown) => {
        cause = thrown;
      });
      if (offsets.every(({ partition, offset }) => this.#committed.get(partition) === offset)) return;
    }
    throw new ConsumerDeadError(
      "how far it came could not be committed: the next run brings the same again",
      {},
      { cause },
    );
  }

  stop(): Promise<void> {
    return this.#deps.consumer.stop();
  }

  joined(assigned: readonly TopicPartition[]): void {
    const ours = new Set(assigned.map(({ partition }) => partition));
    if (this.#deps.ranges.some(({ partition }) => !ours.has(partition))) {
      this.#fail(new GroupBusyError("another run reads in the same group: let it end first"));
      return;
    }
    this.#hasJoined = true;
    this.#position();
  }

  /** This class keeps its own positions, in the log that existed when the ranges were determined. */
  located(places: readonly RecordPosition[]): void {
    const isOther = places.some(({ partition, isAnew }) => isAnew === true && this.#located.has(partition));
    if (isOther) this.#fail(new ConsumerDeadError("the topic was made anew while it was read: read it again"));
    for (const { partition } of places) this.#located.add(partition);
  }

  /** This class keeps its own positions, and commits nothing during the read. */
  rebalancing(): void {}

  delivered(records: readonly StreamRecord[]): boolean {
    const [first, last] = [records[0], records.at(-1)];
    const range = this.#deps.ranges.find(({ partition }) => partition === first?.partition);
    if (first === undefined || last === undefined || range === undefined) return false;
    const next = this.#next.get(first.partition) ?? range.end;
    const wanted = records.filter(({ offset }) => offset >= next && offset < range.end);
    this.#next.set(first.partition, Math.max(next, Math.min(last.offset + 1, range.end)));
    if (wanted.length > 0) {
      this.#queue.push(wanted);
      this.#bytes += bytesOf(wanted);
    }
    if (last.offset + 1 >= range.end) this.#deps.consumer.pause([first]);
    if (!this.#isFull && this.#bytes >= MAX_BYTES) this.#setFull(true);
    this.#wake.resolve();
    return true;
  }

  /** A range may end in transaction markers, or in aborted records. No record is delivered from there. */
  passed({ partition }: TopicPartition, until: number): void {
    const range = this.#deps.ranges.find((each) => each.partition === partition);
    if (range === undefined) return;
    const next = Math.max(this.#next.get(partition) ?? range.end, Math.min(until, range.end));
    this.#next.set(partition, next);
    if (next >= range.end) this.#deps.consumer.pause([range]);
    this.#wake.resolve();
  }

  committed(offsets: readonly PartitionOffset[]): void {
    for (const { partition, offset } of offsets) this.#committed.set(partition, offset);
  }

  failed(error: Error, restarts: boolean): void {
    if (restarts) return;
    this.#fail(new ConsumerDeadError(`the consumer has ended: ${error.message}`, {}, { cause: error }));
  }

  /** The offsets from which records are left to read. */
  #open(): readonly PartitionOffset[] {
    return this.#deps.ranges.flatMap(({ topic, partition, end }) => {
      const offset = this.#next.get(partition) ?? end;
      return offset < end ? [{ topic, partition, offset }] : [];
    });
  }

  #position(): void {
    const { consumer, ranges } = this.#deps;
    const open = this.#open();
    consumer.pause(ranges);
    consumer.seek(open);
    this.#isFull = false;
    consumer.resume(open);
  }

  #setFull(isFull: boolean): void {
    this.#isFull = isFull;
    if (isFull) this.#deps.consumer.pause(this.#deps.ranges);
    else this.#deps.consumer.resume(this.#open());
  }

  async #more(): Promise<void> {
    const { clock, signal } = this.#deps;
    signal.throwIfAborted();
    const heard = new AbortController();
    const silence = clock.sleep(SILENCE_MS, AbortSignal.any([heard.signal, signal])).then(
      () => this.#fail(new ConsumerDeadError(this.#silence())),
      () => undefined,
    );
    await Promise.race([this.#wake.promise, silence]);
    heard.abort();
    this.#wake = Promise.withResolvers();
    signal.throwIfAborted();
  }

  #silence(): string {
    const [first] = this.#open();
    const where = first === undefined ? "" : `, from ${first.topic}/${first.partition}/${first.offset} on`;
    return `nothing came for ${SILENCE_MS / 1_000} s although something is left${where}`;
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#wake.resolve();
  }
}

function bytesOf(records: readonly StreamRecord[]): number {
  return records.reduce((sum, { value }) => sum + (value?.byteLength ?? 0), 0);
}
