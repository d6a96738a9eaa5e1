import type { Log, LogFields } from "../../kernel/log.ts";
import type { GroupConsumer, TopicPartition } from "../../kernel/stream.ts";
import { ObjectUnreadableError } from "../object-store.ts";

/** Partitions whose archive does not hold what their log holds, or cannot be read: archived no further until somebody has looked. */
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

  /** `why` is what the log says of it. */
  halt(at: TopicPartition, why: string, fields: LogFields): void {
    this.#partitions.add(at.partition);
    this.#consumer.pause([at]);
    this.#log.error(`${why}: this partition is archived no further`, { ...at, ...fields });
  }

  /** An object that nobody can read stops its partition, and no verdict. @throws whatever else was thrown. */
  unlessUnreadable(at: TopicPartition): (thrown: unknown) => undefined {
    return (thrown) => {
      if (!(thrown instanceof ObjectUnreadableError)) throw thrown;
      this.halt(at, "an object of the archive cannot be read", { reason: thrown.message });
      return undefined;
    };
  }

  /** Another generation begins: what it finds counts. */
  clear(): void {
    this.#partitions.clear();
  }
}
