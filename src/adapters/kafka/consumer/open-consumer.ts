import type { Consumer, Kafka } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import type { Recreated, Truncated } from "../offsets/starting-points.ts";
import { steadyAssigner } from "./steady-assigner.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** How long the members of a group wait for each other, milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** How soon a new partition is noticed, milliseconds. Otherwise a minute. */
  readonly metadataMaxAgeMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Headers of a record that are read; by default those that go on with all that follows from it. */
  readonly headers?: readonly string[];
  /** Told of each partition that is read again from its first record, since its topic was made anew or its log cut. */
  readonly onRecreated?: (at: Recreated) => void;
  /** Told of each partition whose log lost what was read of it. */
  readonly onTruncated?: (at: Truncated) => void;
}

/** How long a fetch waits for records, milliseconds: what is resumed is read so much later at most. */
const MAX_WAIT_MS = 250;
const MAX_BYTES_A_PARTITION = 262_144;
const MAX_BYTES = 4 * 1024 * 1024;
const METADATA_MAX_AGE_MS = 60_000;

/** A consumer of kafkajs that commits nothing by itself, and creates no topic. */
export function openConsumer(options: GroupConsumerOptions): Consumer {
  const { kafka, groupId, sessionTimeoutMs, rebalanceTimeoutMs } = options;
  return kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval: Math.min(3_000, Math.floor(sessionTimeoutMs / 4)),
    maxWaitTimeInMs: MAX_WAIT_MS,
    minBytes: 1,
    maxBytesPerPartition: MAX_BYTES_A_PARTITION,
    maxBytes: MAX_BYTES,
    metadataMaxAge: options.metadataMaxAgeMs ?? METADATA_MAX_AGE_MS,
    partitionAssigners: [steadyAssigner],
    allowAutoTopicCreation: false,
    readUncommitted: false,
  });
}
