/** What the brokers said last of a topic. */
export interface TopicMetadata {
  /** Its id as Kafka prints it; absent where the brokers give topics none (before Kafka 2.8). */
  readonly id?: string | undefined;
  /** Whether no topic has that name. */
  readonly isMissing: boolean;
}

/** What answers about topics said, by name. A topic that is deleted and made anew keeps its name and gets another id. */
export class TopicMetadataCache {
  readonly #seen = new Map<string, TopicMetadata>();
  #changes = 0;

  /** Counts what differed from the answer before: a reader that knows this number knows all that is here. */
  get changes(): number {
    return this.#changes;
  }

  told(topic: string, seen: TopicMetadata): void {
    const before = this.#seen.get(topic);
    if (before?.id === seen.id && before?.isMissing === seen.isMissing) return;
    this.#seen.set(topic, seen);
    this.#changes++;
  }

  of(topic: string): TopicMetadata | undefined {
    return this.#seen.get(topic);
  }
}

/** Shared by all clients in this process, which speak to one cluster. */
export const topicMetadataCache = new TopicMetadataCache();
