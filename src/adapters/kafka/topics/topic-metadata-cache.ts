/** The last report of the brokers about a topic. */
export interface TopicMetadata {
  /** The topic's id as Kafka prints it; absent where the brokers give topics none (before Kafka 2.8). */
  readonly id?: string | undefined;
  /** Whether no topic has this name. */
  readonly isMissing: boolean;
}

/** The contents of answers about topics, by name. A recreated topic keeps its name and gets another id. */
export class TopicMetadataCache {
  readonly #seen = new Map<string, TopicMetadata>();
  #changes = 0;

  /** Number of changes between answers. A reader that knows this number knows the whole content of the cache. */
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

/** Shared by all clients in this process, which use one cluster. */
export const topicMetadataCache = new TopicMetadataCache();
