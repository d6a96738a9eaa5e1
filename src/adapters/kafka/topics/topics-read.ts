import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { TopicIds } from "../offsets/commit-metadata.ts";
import { areOther } from "../offsets/commit-metadata.ts";
import type { ReadBefore } from "../offsets/starting-points.ts";
import type { TopicMetadataCache } from "./topic-metadata-cache.ts";

/** Topics that were not there and are, or the other way round. */
export interface Appearances {
  readonly gone: readonly string[];
  readonly back: readonly string[];
}

/** What a generation begins with. */
export interface Generation {
  /** What is read in it: partitions of topics that are not there are left out. */
  readonly readable: readonly TopicPartition[];
  /** What was read in those before, of topics that are not there any more; told once. */
  readonly gone: readonly TopicPartition[];
}

/** A partition, and the topic that it was found to be of. */
export type Located = TopicPartition & TopicIds;

/**
 * Which topics a member of a group reads, over all generations: the ids of their logs, how far each was read, and which of
 * them are not there. Pure: it says what to do, and its owner does it.
 */
export class TopicsRead {
  readonly #seen: Pick<TopicMetadataCache, "changes" | "of">;
  readonly #subscribed: readonly string[];
  /** Of the log that each partition was read in, as its reader was told. */
  readonly #ids = new Map<string, TopicIds>();
  readonly #next = new Map<string, number>();
  readonly #cut = new Set<string>();
  #missing: ReadonlySet<string> = new Set();
  /** Of the generation: what it was given, without what was missing then. */
  #readable: readonly TopicPartition[] = [];
  #left: readonly string[] = [];
  /** Partitions of which this generation's reader was told. The look at any other is still to find what its topic is. */
  readonly #told = new Set<string>();
  /** Read in earlier ones and not in this one: given to another member, or gone, which the group may know sooner. */
  #moved: readonly TopicPartition[] = [];
  #known = -1;

  constructor(subscribed: readonly string[], seen: Pick<TopicMetadataCache, "changes" | "of">) {
    this.#subscribed = subscribed;
    this.#seen = seen;
  }

  /** Topics that are to be read and are not there. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** The id of the topic that a partition is read of; undefined while that is not known, and where it has none. */
  idOf(at: TopicPartition): string | undefined {
    return this.idsOf(at).topicId;
  }

  /** `idOf`, and that of its cluster: what a commit names. */
  idsOf(at: TopicPartition): TopicIds {
    return this.#ids.get(nameOf(at)) ?? {};
  }

  /** A generation begins. */
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

  /** The log of a partition ends before what was read of it, although its topic has the same id. */
  cut(at: PartitionOffset): void {
    this.#cut.add(nameOf(at));
    this.#next.set(nameOf(at), at.offset);
  }

  /** Whoever reads these partitions knows by now of which topics they are; before that, what was found is found again. */
  located(found: readonly Located[]): void {
    for (const { topicId, clusterId, ...at } of found) {
      const name = nameOf(at);
      if (topicId !== undefined) this.#ids.set(name, { topicId, clusterId });
      this.#told.add(name);
      this.#cut.delete(name);
      this.#next.delete(name);
    }
    // The brokers may have told of yet another topic meanwhile, when there was nothing to hold it against.
    this.#known = -1;
  }

  /** Which topics came and went since this was last asked. */
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
   * Whether something is wrong with what this generation reads, or those before did: a topic was deleted, came back or was
   * made anew. Asked at every fetch, and answered at once where no answer of the brokers said anything new.
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

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
