import type { Log } from "../../../kernel/log.ts";
import type { TopicPartition } from "../../../kernel/stream.ts";
import type { FetchedPartitions } from "./fetched-partitions.ts";

/** Chosen: a fetch that a pause or a rebalance discards is repeated once or twice. */
export const STALLED_FETCHES = 100;

/** Finds partitions with fetches that return bytes but make no progress, and logs each partition once. */
export class StalledFetches {
  readonly #seen: Pick<FetchedPartitions, "repeatsOf">;
  readonly #log: Pick<Log, "warn">;
  /** Offsets that were logged, by topic and partition. */
  readonly #logged = new Map<string, number>();

  constructor(seen: Pick<FetchedPartitions, "repeatsOf">, log: Pick<Log, "warn">) {
    this.#seen = seen;
    this.#log = log;
  }

  look(assigned: readonly TopicPartition[]): void {
    for (const { topic, partition } of assigned) {
      const repeated = this.#seen.repeatsOf({ topic, partition });
      if (repeated === undefined || repeated.fetches < STALLED_FETCHES) continue;
      const name = `${topic}/${partition}`;
      if (this.#logged.get(name) === repeated.offset) continue;
      this.#logged.set(name, repeated.offset);
      const fields = { topic, partition, offset: repeated.offset, count: repeated.fetches };
      this.#log.warn("fetches return the same bytes again and again: Weir reads nothing after this offset", fields);
    }
  }

  /** The most consecutive fetches without progress, by topic. */
  byTopic(assigned: readonly TopicPartition[]): ReadonlyMap<string, number> {
    const most = new Map<string, number>();
    for (const at of assigned) {
      const { fetches } = this.#seen.repeatsOf(at) ?? { fetches: 0 };
      most.set(at.topic, Math.max(fetches, most.get(at.topic) ?? 0));
    }
    return most;
  }
}
