import { murmur2 } from "../../kernel/murmur2.ts";

/**
 * The partition that Kafka's Java client would send `key` to, so that one subject's records share a partition whoever
 * wrote them.
 */
export function partitionOf(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}
