import type { StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import type { AuditedPosition, AuditedTopic } from "./audit-finding.ts";

/** The records of one partition from an offset to the end of the log at the time of opening. */
export interface OpenedRecords {
  /** Records with ascending offsets. */
  read(): AsyncIterable<StreamRecord>;
  stop(): Promise<void>;
}

interface Reading {
  readonly partition: number;
  readonly opened: OpenedRecords;
  readonly records: AsyncIterator<StreamRecord>;
  /** The record that was read but not requested yet. */
  ahead: StreamRecord | undefined;
  /** The position: all lower offsets were requested. */
  next: number;
}

/**
 * Records of a topic by ranges. An audit requests partition after partition, each range after the one before. So one
 * reader serves a whole partition, and only a step back opens a new one.
 */
export class TopicRecords {
  readonly #open: (at: TopicPartition, from: number) => Promise<OpenedRecords>;
  #reading: Reading | undefined;

  constructor(open: (at: TopicPartition, from: number) => Promise<OpenedRecords>) {
    this.#open = open;
  }

  /** The existing records from `from` to `until`, inclusive. Only one range may be read at a time. */
  async *range(at: TopicPartition, from: number, until: number): AsyncGenerator<StreamRecord> {
    const reading = await this.#readingAt(at, from);
    for (;;) {
      const record = reading.ahead ?? (await next(reading.records));
      reading.ahead = undefined;
      if (record === undefined) return;
      if (record.offset > until) {
        reading.ahead = record;
        return;
      }
      reading.next = record.offset + 1;
      if (record.offset >= from) yield record;
      // The next record may not exist yet.
      if (record.offset === until) return;
    }
  }

  async close(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    await reading?.opened.stop();
  }

  async #readingAt(at: TopicPartition, from: number): Promise<Reading> {
    const { partition } = at;
    const current = this.#reading;
    if (current?.partition === partition && current.next <= from) return current;
    await this.close();
    const opened = await this.#open(at, from);
    const records = opened.read()[Symbol.asyncIterator]();
    this.#reading = { partition, opened, records, ahead: undefined, next: from };
    return this.#reading;
  }
}

type Positions = ReadonlyMap<number, AuditedPosition>;

export interface TopicRequest {
  /** Requests the group's positions and the ends of the logs. */
  readonly ask: () => Promise<Positions>;
  /** Opens one partition from an offset to its end in these positions. */
  readonly open: (at: TopicPartition, from: number, ends: Positions) => Promise<OpenedRecords>;
}

/**
 * A topic that grows and is archived during its audit. The group's commits are requested before the objects are listed,
 * so the objects hold at least the committed offsets. The end of a log is requested after the listing, so the log holds
 * at least the objects' offsets.
 */
export async function liveTopic({ ask, open }: TopicRequest): Promise<AuditedTopic & { close(): Promise<void> }> {
  const positions = await ask();
  const records = new TopicRecords(async (at, from) => open(at, from, await ask()));
  return {
    positions,
    records: (at, from, until) => records.range(at, from, until),
    earliest: async ({ partition }) => (await ask()).get(partition)?.earliest ?? Number.POSITIVE_INFINITY,
    close: () => records.close(),
  };
}

async function next(records: AsyncIterator<StreamRecord>): Promise<StreamRecord | undefined> {
  const { done, value } = await records.next();
  return done === true ? undefined : value;
}
