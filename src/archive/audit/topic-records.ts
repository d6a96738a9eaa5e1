import type { StreamRecord, TopicPartition } from "../../kernel/stream.ts";
import type { AuditedPosition, AuditedTopic } from "./audit-finding.ts";

/** What a topic holds of one partition, from some offset to where it ended when it was looked at. */
export interface OpenedRecords {
  /** Offsets ascending. */
  read(): AsyncIterable<StreamRecord>;
  stop(): Promise<void>;
}

interface Reading {
  readonly partition: number;
  readonly opened: OpenedRecords;
  readonly records: AsyncIterator<StreamRecord>;
  /** Read, and not asked for yet. */
  ahead: StreamRecord | undefined;
  /** Where it stands: everything below was asked for. */
  next: number;
}

/**
 * Records of a topic by ranges, as an audit asks for them: partition after partition, each range after the one before.
 * So one reading serves a whole partition, and it is begun anew only to go back.
 */
export class TopicRecords {
  readonly #open: (at: TopicPartition, from: number) => Promise<OpenedRecords>;
  #reading: Reading | undefined;

  constructor(open: (at: TopicPartition, from: number) => Promise<OpenedRecords>) {
    this.#open = open;
  }

  /** The records from `from` to `until`, inclusive, as far as the topic has them. One range is read at a time. */
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
      // What comes next may not be there yet.
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
  /** Where the group stands and the logs end, asked anew. */
  readonly ask: () => Promise<Positions>;
  /** Opens one partition from an offset to where it ends in these positions. */
  readonly open: (at: TopicPartition, from: number, ends: Positions) => Promise<OpenedRecords>;
}

/**
 * A topic that is written to and archived while it is audited. What the group has committed is asked before the objects are
 * listed: they hold at least that. Where a log ends is asked after it, when the log is read: it holds at least them.
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
