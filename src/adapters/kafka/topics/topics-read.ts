import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { TopicIds } from "../offsets/commit-metadata.ts";
import { areOther } from "../offsets/commit-metadata.ts";
import type { ReadBefore } from "../offsets/starting-points.ts";
import type { TopicMetadataCache } from "./topic-metadata-cache.ts";

/** Topics that appeared or vanished. */
export interface Appearances {
  readonly gone: readonly string[];
  readonly back: readonly string[];
}

/** The partitions at the start of a generation. */
export interface Generation {
  /** The partitions that the generation reads, without those of missing topics. */
  readonly readable: readonly TopicPartition[];
  /** The partitions of earlier generations with topics that no longer exist. They are reported once. */
  readonly gone: readonly TopicPartition[];
}

/** A partition, and the ids of its topic. */
export type Located = TopicPartition & TopicIds;

/**
 * The topics that a member of a group reads, over all generations: the ids of their logs, the read positions, and the
 * missing topics. Pure: it returns decisions, and its owner executes them.
 */
export class TopicsRead {
  readonly #seen: Pick<TopicMetadataCache, "changes" | "of">;
  readonly #subscribed: readonly string[];
  /** The ids of the log that each partition was read in, as reported to the handler. */
  readonly #ids = new Map<string, TopicIds>();
  readonly #next = new Map<string, number>();
  readonly #cut = new Set<string>();
  #missing: ReadonlySet<string> = new Set();
  /** The assigned partitions of the generation, without those of topics that were missing at its start. */
  #readable: readonly TopicPartition[] = [];
  #left: readonly string[] = [];
  /**
   * Partitions with a starting point that this generation's handler knows. The lookup of any other partition still has
   * to find the ids of its topic.
   */
  readonly #told = new Set<string>();
  /**
   * Partitions of earlier generations that this one lacks. They were assigned to another member, or they are gone,
   * which the group may learn sooner.
   */
  #moved: readonly TopicPartition[] = [];
  #known = -1;

  constructor(subscribed: readonly string[], seen: Pick<TopicMetadataCache, "changes" | "of">) {
    this.#subscribed = subscribed;
    this.#seen = seen;
  }

  /** Configured topics that do not exist. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /**
   * The id of the topic that a partition is read from. Undefined while the id is unknown, and where the topic has none.
   */
  idOf(at: TopicPartition): string | undefined {
    return this.idsOf(at).topicId;
  }

  /** The ids of the topic and its cluster, which a commit holds. */
  idsOf(at: TopicPartition): TopicIds {
    return this.#ids.get(nameOf(at)) ?? {};
  }

  /** Begins a generation. */
  begin(assigned: readonly TopicPartition[], nextOf: (at: TopicPartition) => number | undefined): Generation {
    const before = [...this.#moved, ...this.#readable];
    const gone = before.filter((at) => this.#isGone(at));
    for (const at of this.#readable) {
      const next = nextOf(at);
      if (next !== undefined) this.#next.set(nameOf(at), next);
    }
    const isMissing = (topic: string) => this.#seen.of(topic)?.isMissing === true;
    this.#readable = assigned.filter(({ topic }) => !isMissing(topic));
    this.#told.clear();
    this.#left = [...new Set(assigned.map(({ topic }) => topic))].filter(isMissing);
    const known = new Set([...this.#readable, ...gone].map(nameOf));
    this.#moved = before.filter((at) => !known.has(nameOf(at)));
    return { readable: this.#readable, gone };
  }

  before(at: TopicPartition): ReadBefore {
    const name = nameOf(at);
    return { topicId: this.idOf(at), next: this.#next.get(name), isCut: this.#cut.has(name) };
  }

  /** Records that the log of a partition ends before its read position, although its topic has the same id. */
  cut(at: PartitionOffset): void {
    this.#cut.add(nameOf(at));
    this.#next.set(nameOf(at), at.offset);
  }

  /**
   * Records that the handler of these partitions knows the ids of their topics. An earlier record would hide a change
   * that the handler has not seen.
   */
  located(found: readonly Located[]): void {
    for (const { topicId, clusterId, ...at } of found) {
      const name = nameOf(at);
      if (topicId !== undefined) this.#ids.set(name, { topicId, clusterId });
      this.#told.add(name);
      this.#cut.delete(name);
      this.#next.delete(name);
    }
    // The brokers may have reported yet another topic in the meantime, when there was no id to compare it with.
    this.#known = -1;
  }

  /** The topics that appeared or vanished since the last call. */
  appearances(): Appearances {
    if (this.#known === this.#seen.changes) return { gone: [], back: [] };
    const before = this.#missing;
    const now = new Set(this.#subscribed.filter((topic) => this.#seen.of(topic)?.isMissing === true));
    this.#missing = now;
    return {
      gone: [...now].filter((topic) => !before.has(topic)),
      back: [...before].filter((topic) => !now.has(topic)),
    };
  }

  /**
   * Whether a partition of this generation or an earlier one is outdated: its topic was deleted, came back or was
   * recreated. It is called at every fetch, and returns at once when no answer of the brokers changed.
   */
  isOutdated(): boolean {
    if (this.#known === this.#seen.changes) return false;
    this.#known = this.#seen.changes;
    if (this.#left.some((topic) => this.#seen.of(topic)?.isMissing === false)) return true;
    const isLocated = (at: TopicPartition) => this.#told.has(nameOf(at)) || this.#seen.of(at.topic)?.isMissing === true;
    return [...this.#moved, ...this.#readable.filter(isLocated)].some((at) => this.#isGone(at));
  }

  #isGone(at: TopicPartition): boolean {
    const seen = this.#seen.of(at.topic);
    return seen?.isMissing === true || areOther(this.idOf(at), seen?.id);
  }
}

/** Topic names hold no slash, so the text is unambiguous. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
