import { countText } from "../../../kernel/text.ts";

/** Partitions without a leader at the moment. Nothing is known of their logs until they have one. */
export class NoLeaderError extends Error {
  /** kafkajs's name for the broker's error about such a partition. */
  readonly type = "LEADER_NOT_AVAILABLE";
  readonly retriable = true;

  constructor(topic: string, partitions: readonly number[]) {
    super(`${topic} has ${countText(partitions.length, "partition")} without a leader: ${partitions.join(", ")}`);
    this.name = "NoLeaderError";
  }
}
