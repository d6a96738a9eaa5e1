import type { Consumer, Kafka } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import type { Recreated, Truncated } from "../offsets/starting-points.ts";
import type { HeaderChoice } from "./passed-headers.ts";
import { steadyAssigner } from "./steady-assigner.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** How long the members of a group wait for each other, milliseconds. */
  readonly rebalanceTimeoutMs: number;
  /** How soon a new partition is noticed, milliseconds. Without it, a minute. */
  readonly metadataMaxAgeMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Headers of a record that are read. By default none. */
  readonly headers?: HeaderChoice;
  /**
   * Called for each partition that is read again from its first record, since its topic was recreated or its log cut.
   */
  readonly onRecreated?: (at: Recreated) => void;
  /** Called for each partition with a log that lost read records. */
  readonly onTruncated?: (at: Truncated) => void;
}

/** How long a fetch waits for records, milliseconds. A resumed partition is read at most this much later. */
const MAX_WAIT_MS = 250;
const MAX_BYTES_A_PARTITION = 262_144;
const MAX_BYTES = 4 * 1024 * 1024;
const METADATA_MAX_AGE_MS = 60_000;

/** A kafkajs consumer without automatic commits and without automatic creation of topics. */
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
