import type { Log } from "../../../kernel/log.ts";
import type { RecordHeaders } from "../../../kernel/stream.ts";
import type { Source } from "../../../messages/verdict.ts";

/** Header in which a record names the topic of its reply. Source: Spring for Apache Kafka, `KafkaHeaders.REPLY_TOPIC`. */
export const REPLY_TOPIC_HEADER = "kafka_replyTopic";

/**
 * Finds the topic that a record wants its verdict in as well. Only topics of a list are written to: the producer of a
 * record must not choose any topic of the cluster.
 */
export class ReplyTopics {
  readonly #allowed: ReadonlySet<string>;
  readonly #log: Pick<Log, "warn">;
  #isLogged = false;

  constructor(allowed: readonly string[], log: Pick<Log, "warn">) {
    this.#allowed = new Set(allowed);
    this.#log = log;
  }

  /** Undefined for a record that names no topic, and for a topic that is not on the list, which is logged once. */
  topicOf(headers: RecordHeaders, source: Source): string | undefined {
    const named = headers[REPLY_TOPIC_HEADER];
    if (named === undefined || this.#allowed.size === 0) return undefined;
    if (typeof named === "string" && this.#allowed.has(named)) return named;
    if (!this.#isLogged && "topic" in source) {
      this.#isLogged = true;
      const what =
        "a record names a reply topic that is not in KAFKA_REPLY_TOPICS: its verdict goes to the verdict topic only";
      this.#log.warn(what, { topic: source.topic, partition: source.partition, offset: source.offset });
    }
    return undefined;
  }
}
