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
const at = { length: 8, magic: 16, attributes: 21, lastOffsetDelta: 23, count: 57, records: 61 } as const;
const MAGIC = 2;
/** Bytes that `length` does not count: the offset and itself. */
const BEFORE_LENGTH = 12;

/** The first batch of a fetch's answer (version 11) that does not unpack. Undefined when each does, or the answer ends too early. */
export async function findUnreadable(answer: Buffer): Promise<BatchPlace | undefined> {
  for (const batch of batchesOf(answer)) {
    const { bytes } = batch;
    const codec = codecOf[bytes.readInt16BE(at.attributes) & CODEC_MASK];
    const isReadable = await codec?.decompress(bytes.subarray(at.records)).then(
      () => true,
      () => false,
    );
    if (isReadable === false) return placeOf(batch);
  }
  return undefined;
}

/** The first batch of such an answer that holds more records than `most`. */
export function findCrowded(answer: Buffer, most: number): BatchPlace | undefined {
  for (const batch of batchesOf(answer)) if (batch.bytes.readInt32BE(at.count) > most) return placeOf(batch);
  return undefined;
}

/** Whole batches of the format since Kafka 0.11; the last of a partition may be cut short. */
function* batchesOf(answer: Buffer): Iterable<Batch> {
  for (const { topic, partition, records } of partitionsOf(answer)) {
    for (let start = 0; start + at.records <= records.length; ) {
      const end = start + BEFORE_LENGTH + records.readInt32BE(start + at.length);
      if (end > records.length) break;
      if (records[start + at.magic] === MAGIC) yield { topic, partition, bytes: records.subarray(start, end) };
      start = end;
    }
  }
}

function placeOf({ topic, partition, bytes }: Batch): BatchPlace {
  const from = Number(bytes.readBigInt64BE(0));
  return { topic, partition, from, until: from + bytes.readInt32BE(at.lastOffsetDelta) + 1 };
}

interface Batch {
  readonly topic: string;
  readonly partition: number;
  readonly bytes: Buffer;
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
