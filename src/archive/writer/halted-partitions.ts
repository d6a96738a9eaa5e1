import type { Log, LogFields } from "../../kernel/log.ts";
import type { GroupConsumer, TopicPartition } from "../../kernel/stream.ts";
import { ObjectUnreadableError } from "../object-store.ts";

/**
 * Partitions with an archive that differs from the log or cannot be read. They are not archived until an operator has
 * looked.
 */
export class HaltedPartitions {
  readonly #consumer: Pick<GroupConsumer, "pause">;
  readonly #log: Log;
  readonly #partitions = new Set<number>();

  constructor({ consumer, log }: { readonly consumer: Pick<GroupConsumer, "pause">; readonly log: Log }) {
    this.#consumer = consumer;
    this.#log = log;
  }

  get all(): readonly number[] {
    return [...this.#partitions];
  }

  has({ partition }: TopicPartition): boolean {
    return this.#partitions.has(partition);
  }

  /** `why` is the message of the log line. */
  halt(at: TopicPartition, why: string, fields: LogFields): void {
    this.#partitions.add(at.partition);
    this.#consumer.pause([at]);
    this.#log.error(`${why}: the archive stops at this partition`, { ...at, ...fields });
  }

  /** An unreadable object halts its partition but loses no verdict. @throws any other error. */
  unlessUnreadable(at: TopicPartition): (thrown: unknown) => undefined {
    return (thrown) => {
      if (!(thrown instanceof ObjectUnreadableError)) throw thrown;
      this.halt(at, "an object of the archive cannot be read", { reason: thrown.message });
      return undefined;
    };
  }

  /** A new generation begins, and its own checks count. */
  clear(): void {
    this.#partitions.clear();
  }
}
