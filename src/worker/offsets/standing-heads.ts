import type { TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";

/** Where the watermark of a partition stands that has work: from there on something is not settled. */
export interface Head<L extends string = Lane> extends TopicPartition {
  readonly lane: L;
  /** The watermark. */
  readonly offset: number;
  /** The epoch in which the partition was gained: of an earlier tenure, the same offset is another head. */
  readonly since: number;
}

/** A head, how long it was seen to stand, and for how much of that nothing explains it, milliseconds. */
export interface StandingHead<L extends string = Lane> {
  readonly head: Head<L>;
  readonly standsMs: number;
  readonly unexplainedMs: number;
}

/** Most that one look counts, milliseconds: over a longer one the whole process stood still, and its work with it. */
const MAX_LOOK_MS = 5_000;

/**
 * How long the watermark of each partition stands still while it has work. To look once a second is enough, and costs the
 * records nothing: a watermark that moved in between is another one.
 */
export class StandingHeads<L extends string = Lane> {
  #standing: ReadonlyMap<string, StandingHead<L>> = new Map();
  #lookedAt = Number.NaN;

  /** @param isExplained whether a head may stand for a reason that is no fault; then this look is not held against it. */
  look(heads: Iterable<Head<L>>, now: number, isExplained: boolean): void {
    const passedMs = now - this.#lookedAt;
    const unexplainedMs = isExplained ? 0 : Math.min(passedMs, MAX_LOOK_MS);
    const standing = new Map<string, StandingHead<L>>();
    for (const head of heads) {
      const key = `${head.topic}/${head.partition}`;
      const known = this.#standing.get(key);
      const isSame = known?.head.offset === head.offset && known.head.since === head.since;
      standing.set(key, {
        head,
        standsMs: isSame ? known.standsMs + passedMs : 0,
        unexplainedMs: isSame ? known.unexplainedMs + unexplainedMs : 0,
      });
    }
    this.#standing = standing;
    this.#lookedAt = now;
  }

  /** For how long the one of a lane stands that stands for longest, milliseconds; 0 when there is none. */
  longestMs(lane: L): number {
    let longest = 0;
    for (const { head, standsMs } of this.#standing.values())
      if (head.lane === lane) longest = Math.max(longest, standsMs);
    return longest;
  }

  /** One that has stood for longer than `ms` while nothing explained it. */
  stuck(ms: number): StandingHead<L> | undefined {
    for (const standing of this.#standing.values()) if (standing.unexplainedMs > ms) return standing;
    return undefined;
  }
}
