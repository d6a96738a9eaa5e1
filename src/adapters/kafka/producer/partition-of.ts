import { murmur2 } from "../../../kernel/hash.ts";

/** Memory for short keys: the function runs for each record. */
const scratch = new Uint8Array(256);

/**
 * The partition that Kafka's Java client would send `key` to. So records of one subject share a partition, whichever
 * client wrote them.
 */
export function partitionOf(key: Uint8Array, partitions: number, length = key.length): number {
  return (murmur2(key, length) & 0x7fffffff) % partitions;
}

/** The partition of a key in UTF-8. */
export function partitionOfText(key: string, partitions: number): number {
  if (key.length > scratch.length) return partitionOf(Buffer.from(key), partitions);
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    if (unit > 0x7f) return partitionOf(Buffer.from(key), partitions);
    scratch[at] = unit;
  }
  return partitionOf(scratch, partitions, key.length);
}
