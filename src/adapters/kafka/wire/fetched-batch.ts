import { at, BEFORE_LENGTH, MAGIC } from "./batch-layout.ts";

/** One batch of records of a partition, packed or not, in the format of brokers since Kafka 0.11. */
export interface FetchedBatch {
  /** First offset of the batch. */
  readonly from: number;
  /** The last offset of the batch plus one. Compaction may have removed records, the last one too. */
  readonly until: number;
  /** Number of records according to the header of the batch. */
  readonly count: number;
  /** Compression: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
  readonly codec: number;
  readonly isLogAppendTime: boolean;
  readonly inTransaction: boolean;
  /** Whether the records are markers of transaction ends. */
  readonly isControl: boolean;
  /** Unix milliseconds. */
  readonly firstTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: string;
  /** The epoch of the leader that appended the batch. */
  readonly leaderEpoch: number;
  /** The records in their packed form. */
  readonly payload: Buffer;
}

const CODEC = 0x07;
const LOG_APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;

/** The complete batches in a partition's bytes. A truncated batch ends them, and so does an older format. */
export function* batchesOf(records: Buffer): Iterable<FetchedBatch> {
  for (let start = 0; start + at.records <= records.length; ) {
    const end = start + BEFORE_LENGTH + records.readInt32BE(start + at.length);
    if (end > records.length || end < start + at.records || records[start + at.magic] !== MAGIC) return;
    yield batchIn(records.subarray(start, end));
    start = end;
  }
}

/** Whether a partition's bytes begin with a message set in the format before Kafka 0.11. */
export function isOldFormat(records: Buffer): boolean {
  return records.length > at.magic && (records[at.magic] ?? MAGIC) < MAGIC;
}

function batchIn(bytes: Buffer): FetchedBatch {
  const attributes = bytes.readInt16BE(at.attributes);
  const from = Number(bytes.readBigInt64BE(0));
  return {
    from,
    until: from + bytes.readInt32BE(at.lastOffsetDelta) + 1,
    count: bytes.readInt32BE(at.count),
    codec: attributes & CODEC,
    isLogAppendTime: (attributes & LOG_APPEND_TIME) !== 0,
    inTransaction: (attributes & TRANSACTIONAL) !== 0,
    isControl: (attributes & CONTROL) !== 0,
    firstTimestamp: Number(bytes.readBigInt64BE(at.firstTimestamp)),
    maxTimestamp: Number(bytes.readBigInt64BE(at.maxTimestamp)),
    producerId: bytes.readBigInt64BE(at.producerId).toString(),
    leaderEpoch: bytes.readInt32BE(at.leaderEpoch),
    payload: bytes.subarray(at.records),
  };
}
