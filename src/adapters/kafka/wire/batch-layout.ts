/**
 * Positions of the fields in a batch of records, from its first byte on. Source: Kafka's documentation, "Record Batch".
 */
export const at = {
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
  records: 61,
} as const;
/** The magic byte of the format since Kafka 0.11. */
export const MAGIC = 2;
/** Bytes that `length` does not count: the offset and the length field itself. */
export const BEFORE_LENGTH = 12;
