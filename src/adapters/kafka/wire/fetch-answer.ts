/** The part of a fetch answer about one partition. Offsets are texts, as in kafkajs. */
export interface FetchedPartition {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: string;
  readonly lastStableOffset: string;
  readonly lastStartOffset: string;
  readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[];
  readonly preferredReadReplica: number;
  /** Batches. The last batch may be truncated. */
  readonly records: Buffer;
}

export interface FetchAnswer {
  readonly throttleTimeMs: number;
  readonly errorCode: number;
  readonly sessionId: number;
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly FetchedPartition[] }[];
}

/**
 * Reads an answer to a fetch down to its batches, which are not copied. Source: Kafka's documentation, "Fetch Response
 * (Version: 11)".
 *
 * @throws {RangeError} when the answer ends too early.
 */
export function readFetchAnswer(answer: Buffer): FetchAnswer {
  let place = 0;
  const move = (length: number) => {
    place += length;
    return place - length;
  };
  const int16 = () => answer.readInt16BE(move(2));
  const int32 = () => answer.readInt32BE(move(4));
  const int64 = () => answer.readBigInt64BE(move(8)).toString();
  const bytes = (length: number) => {
    if (length > answer.length - place) throw new RangeError("the answer to a fetch ends too early");
    const from = move(Math.max(0, length));
    return answer.subarray(from, place);
  };
  // A null list has the length -1.
  const list = <T>(item: () => T): readonly T[] => Array.from({ length: Math.max(0, int32()) }, item);
  const partition = (): FetchedPartition => ({
    partition: int32(),
    errorCode: int16(),
    highWatermark: int64(),
    lastStableOffset: int64(),
    lastStartOffset: int64(),
    abortedTransactions: list(() => ({ producerId: int64(), firstOffset: int64() })),
    preferredReadReplica: int32(),
    records: bytes(int32()),
  });
  return {
    throttleTimeMs: int32(),
    errorCode: int16(),
    sessionId: int32(),
    topics: list(() => ({ topic: bytes(int16()).toString(), partitions: list(partition) })),
  };
}
