import { countText } from "../../kernel/count-text.ts";
import type { GroupConsumer } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";
import { StandingHeads } from "../offsets/standing-heads.ts";
import { WorkerStuckError } from "./errors.ts";

/** What tells work that stands still by a fault from work that waits. */
export interface ProgressDeps<L extends string = Lane> {
  readonly consumer: Pick<GroupConsumer, "activeAt">;
  readonly intake: Pick<OffsetTracker<L>, "heads">;
  /** Whether the service or the clock keeps everything waiting, so that no progress is no sign of a fault. */
  readonly isHeld: () => boolean;
  /** Whether some of the work may wait its turn, for however long, while other work is settled. */
  readonly isQueued: () => boolean;
  /** What nothing can be settled for, if it is known. */
  readonly obstacle?: () => string | undefined;
  /** How long nothing may move while there is work, milliseconds. */
  readonly stuckMs: () => number;
  /** How long the watermark of one partition may stand while it has work, and waits neither its turn nor for an obstacle. */
  readonly headStuckMs: () => number;
}

/** Whether a member of a group still gets on with its work, looked at once a second. Times are milliseconds of `ticks`. */
export class ProgressWatch<L extends string = Lane> {
  readonly #deps: ProgressDeps<L>;
  readonly #heads = new StandingHeads<L>();
  #movedAt: number;

  constructor(deps: ProgressDeps<L>, now: number) {
    this.#deps = deps;
    this.#movedAt = now;
  }

  /** Something was settled, or there is work again after none, or in another generation. */
  moved(now: number): void {
    this.#movedAt = now;
  }

  /** For how long a partition of a lane has had work while its watermark stood, the longest of them, milliseconds. */
  stalledPartitionMs(lane: L): number {
    return this.#heads.longestMs(lane);
  }

  /** @param inWork records. @returns why whoever works on them will not go on by itself; undefined while it may. */
  look(inWork: number, now: number): WorkerStuckError | undefined {
    const isHeld = this.#deps.isHeld();
    const stuckMs = this.#deps.stuckMs();
    if (inWork === 0 || isHeld) this.#movedAt = now;
    const standing = this.#standingHead(now, isHeld);
    return this.#silence(now, stuckMs) ?? this.#standstill(inWork, now, stuckMs) ?? standing;
  }

  #silence(now: number, stuckMs: number): WorkerStuckError | undefined {
    if (now - this.#deps.consumer.activeAt <= stuckMs) return undefined;
    return new WorkerStuckError(`the consumer gave no sign of life for ${inSeconds(stuckMs)}`);
  }

  #standstill(inWork: number, now: number, stuckMs: number): WorkerStuckError | undefined {
    if (now - this.#movedAt <= stuckMs) return undefined;
    const obstacle = this.#deps.obstacle?.();
    const why = obstacle === undefined ? "" : `: ${obstacle}`;
    return new WorkerStuckError(
      `none of ${countText(inWork, "event")} in work was settled for ${inSeconds(stuckMs)}${why}`,
    );
  }

  /** While others are settled, one event that never ends keeps its partition from being committed. */
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
