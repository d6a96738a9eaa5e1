import type { TopicPartition } from "../../../kernel/stream.ts";

/** Partitions that lost their leader, or have one again. */
export interface LeaderChanges {
  readonly gone: readonly TopicPartition[];
  readonly back: readonly TopicPartition[];
}

/** The latest answers about the partitions of topics: those without a leader. */
export class LeaderTracker {
  readonly #without = new Map<string, readonly number[]>();

  /** @param without the partitions of the topic that have no leader. */
  told(topic: string, without: readonly number[]): void {
    this.#without.set(topic, without);
  }

  without(topic: string): readonly number[] {
    return this.#without.get(topic) ?? [];
  }
}

/** Shared by all clients in this process, which use one cluster. */
export const leaderTracker = new LeaderTracker();

/** Finds changes of leaders to report, each once. */
export class LeaderWatch {
  readonly #topics: readonly string[];
  readonly #seen: Pick<LeaderTracker, "without">;
  /** The last reported state. An answer without a change for a topic may have another list. */
  #known = new Map<string, readonly number[]>();

  constructor(topics: readonly string[], seen: Pick<LeaderTracker, "without">) {
    this.#topics = topics;
    this.#seen = seen;
  }

  /** The changes since the last call. It is called at every fetch. */
  changes(): LeaderChanges {
    const [gone, back]: [TopicPartition[], TopicPartition[]] = [[], []];
    for (const topic of this.#topics) {
      const [before, now] = [this.#known.get(topic) ?? [], this.#seen.without(topic)];
      if (now === before || now.length + before.length === 0) continue;
      this.#known.set(topic, now);
      gone.push(...now.filter((each) => !before.includes(each)).map((partition) => ({ topic, partition })));
      back.push(...before.filter((each) => !now.includes(each)).map((partition) => ({ topic, partition })));
    }
    return { gone, back };
  }
}
