import type { GroupConsumer } from "../../kernel/stream.ts";
import { countText } from "../../kernel/text.ts";
import type { Lane } from "../../messages/lane.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";
import { StandingHeads } from "../offsets/standing-heads.ts";
import { WorkerStuckError } from "./errors.ts";

/** Signals that distinguish stalled work from waiting work. */
export interface ProgressDeps<L extends string = Lane> {
  readonly consumer: Pick<GroupConsumer, "activeAt">;
  readonly intake: Pick<OffsetTracker<L>, "heads">;
  /** Whether the service or the clock keeps all work waiting, so that a lack of progress is no fault. */
  readonly isHeld: () => boolean;
  /** Whether part of the work may wait in a queue for any time while other work is completed. */
  readonly isQueued: () => boolean;
  /** The obstacle that keeps all records from being completed, if known. */
  readonly obstacle?: () => string | undefined;
  /** How long no record may be completed while there is work, milliseconds. */
  readonly stuckMs: () => number;
  /**
   * How long the watermark of one partition may stand while the partition has work, milliseconds. Time in a queue or
   * behind an obstacle does not count.
   */
  readonly headStuckMs: () => number;
}

/** Checks once a second whether a group member makes progress. Times are milliseconds of `ticks`. */
export class ProgressWatch<L extends string = Lane> {
  readonly #deps: ProgressDeps<L>;
  readonly #heads = new StandingHeads<L>();
  #movedAt: number;

  constructor(deps: ProgressDeps<L>, now: number) {
    this.#deps = deps;
    this.#movedAt = now;
  }

  /** A record was completed, or work began after an idle time or in another generation. */
  moved(now: number): void {
    this.#movedAt = now;
  }

  /** The longest time that a partition of the lane has had work without moving its watermark, milliseconds. */
  stalledPartitionMs(lane: L): number {
    return this.#heads.longestMs(lane);
  }

  /**
   * @param inWork number of records in flight. @returns why the work will not go on by itself; undefined while it may.
   */
  look(inWork: number, now: number): WorkerStuckError | undefined {
    const isHeld = this.#deps.isHeld();
    const stuckMs = this.#deps.stuckMs();
    if (inWork === 0 || isHeld) this.#movedAt = now;
    const standing = this.#standingHead(now, isHeld);
    return this.#silence(now, stuckMs) ?? this.#standstill(inWork, now, stuckMs) ?? standing;
  }

  #silence(now: number, stuckMs: number): WorkerStuckError | undefined {
    if (now - this.#deps.consumer.activeAt <= stuckMs) return undefined;
    return new WorkerStuckError(`the consumer was silent for ${inSeconds(stuckMs)}`);
  }

  #standstill(inWork: number, now: number, stuckMs: number): WorkerStuckError | undefined {
    if (now - this.#movedAt <= stuckMs) return undefined;
    const obstacle = this.#deps.obstacle?.();
    const why = obstacle === undefined ? "" : `: ${obstacle}`;
    return new WorkerStuckError(
      `none of ${countText(inWork, "event")} in work was settled for ${inSeconds(stuckMs)}${why}`,
    );
  }

  /** While other events are completed, one event that never ends blocks the commits of its partition. */
  #standingHead(now: number, isHeld: boolean): WorkerStuckError | undefined {
    const { intake, isQueued, obstacle, headStuckMs } = this.#deps;
    this.#heads.look(intake.heads(), now, isHeld || isQueued() || obstacle?.() !== undefined);
    const ms = headStuckMs();
    const stuck = this.#heads.stuck(ms);
    if (stuck === undefined) return undefined;
    const { topic, partition, offset } = stuck.head;
    const what = `${topic}/${partition} is not settled from offset ${offset} on`;
    return new WorkerStuckError(`${what}, and waited for nothing that is known for ${inSeconds(ms)}`);
  }
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
