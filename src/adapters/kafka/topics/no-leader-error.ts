import { countText } from "../../../kernel/text.ts";

/** Partitions that no broker leads at the moment: nothing is known of their logs until one does. */
export class NoLeaderError extends Error {
  /** As kafkajs names what a broker says of one. */
  readonly type = "LEADER_NOT_AVAILABLE";
  readonly retriable = true;

  constructor(topic: string, partitions: readonly number[]) {
    super(`${topic} has ${countText(partitions.length, "partition")} without a leader: ${partitions.join(", ")}`);
    this.name = "NoLeaderError";
  }
}
