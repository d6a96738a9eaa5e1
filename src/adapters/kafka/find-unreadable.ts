import { codecs } from "./codecs.ts";

/** Offsets of one batch. */
export interface BatchPlace {
  readonly topic: string;
  readonly partition: number;
  readonly from: number;
  /** One more than its last. */
  readonly until: number;
}

/** By the number that a batch's attributes hold. */
const codecOf = [undefined, codecs.gzip, codecs.snappy, codecs.lz4, codecs.zstd] as const;
const CODEC_MASK = 7;
/** Where a batch has what, from its first byte on. Source: Kafka's documentation, "Record Batch". */
const at = { length: 8, attributes: 21, lastOffsetDelta: 23, records: 61 } as const;
/** Bytes that `length` does not count: the offset and itself. */
const BEFORE_LENGTH = 12;

/** The first batch of a fetch's answer (version 11) that does not unpack. Undefined when each does, or the answer ends too early. */
export async function findUnreadable(answer: Buffer): Promise<BatchPlace | undefined> {
  for (const { topic, partition, records } of partitionsOf(answer)) {
    for (let start = 0; start + at.records <= records.length; ) {
      const end = start + BEFORE_LENGTH + records.readInt32BE(start + at.length);
      if (end > records.length) break;
      const codec = codecOf[records.readInt16BE(start + at.attributes) & CODEC_MASK];
      const isReadable = await codec?.decompress(records.subarray(start + at.records, end)).then(
        () => true,
        () => false,
      );
      if (isReadable === false) {
        const from = Number(records.readBigInt64BE(start));
        return { topic, partition, from, until: from + records.readInt32BE(start + at.lastOffsetDelta) + 1 };
      }
      start = end;
    }
  }
  return undefined;
}

interface PartitionBytes {
  readonly topic: string;
  readonly partition: number;
  readonly records: Buffer;
}

/** Source: Kafka's documentation, "Fetch Response (Version: 11)". */
function partitionsOf(answer: Buffer): readonly PartitionBytes[] {
  const found: PartitionBytes[] = [];
  // Past throttle time, error code and session.
  let place = 10;
  const bytes = (length: number) => {
    place += length;
    return answer.subarray(place - length, place);
  };
  const int32 = () => bytes(4).readInt32BE();
  for (let topics = int32(); topics > 0; topics--) {
    const topic = bytes(bytes(2).readInt16BE()).toString();
    for (let partitions = int32(); partitions > 0; partitions--) {
      const partition = int32();
      // Past the error code, the high watermark, the last stable offset and the log's start.
      bytes(26);
      // Aborted transactions, each with a producer and an offset (-1 stands for none), and the preferred replica.
      bytes(16 * Math.max(0, int32()) + 4);
      found.push({ topic, partition, records: bytes(Math.max(0, int32())) });
    }
  }
  return found;
}
