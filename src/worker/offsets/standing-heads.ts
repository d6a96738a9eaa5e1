import type { TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";

/** The watermark of a partition that has work. At least one record from there on is not completed. */
export interface Head<L extends string = Lane> extends TopicPartition {
  readonly lane: L;
  /** The watermark. */
  readonly offset: number;
  /** The epoch in which the partition was gained. The same offset in another assignment is another head. */
  readonly since: number;
}

/** A stalled watermark: how long it has stood, and how much of that time has no known reason. Milliseconds. */
export interface StandingHead<L extends string = Lane> {
  readonly head: Head<L>;
  readonly standsMs: number;
  readonly unexplainedMs: number;
}

/**
 * Longest interval that one check counts, milliseconds. A longer interval means that the whole process stood still,
 * with all its work.
 */
const MAX_LOOK_MS = 5_000;

/**
 * How long the watermark of each partition stands still while the partition has work. A check once a second is enough,
 * and costs the records nothing. A watermark that moved between two checks differs in its offset.
 */
export class StandingHeads<L extends string = Lane> {
  #standing: ReadonlyMap<string, StandingHead<L>> = new Map();
  #lookedAt = Number.NaN;

  /**
   * @param isExplained whether a watermark may stand for a reason that is no fault. This interval then does not count
   *   as unexplained.
   */
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

  /** The longest time that a watermark of the lane has stood, milliseconds; 0 when none stands. */
  longestMs(lane: L): number {
    let longest = 0;
    for (const { head, standsMs } of this.#standing.values())
      if (head.lane === lane) longest = Math.max(longest, standsMs);
    return longest;
  }

  /** A watermark that has stood for longer than `ms` without a known reason. */
  stuck(ms: number): StandingHead<L> | undefined {
    for (const standing of this.#standing.values()) if (standing.unexplainedMs > ms) return standing;
    return undefined;
  }
}
