import type { Clock } from "../../kernel/clock.ts";
import type { GroupOffsets, TopicPartition } from "../../kernel/stream.ts";
import type { Tries } from "../writer/tries.ts";

export interface LogEndDeps {
  readonly offsets: GroupOffsets;
  readonly tries: Pick<Tries, "until">;
  readonly clock: Pick<Clock, "sleep">;
}

/** A new leader may not know its end yet. Chosen. */
const ASKS = 6;
const ASK_AGAIN_MS = 5_000;

/**
 * Whether a log ends before `offset`, by repeated answers of the brokers. Then the archived object belongs to another
 * log, such as an earlier topic of this name. Or the end in the object's metadata was changed.
 *
 * @returns false also when the brokers do not know, and once `generation` is over.
 */
export async function isBeyondLog(
  { topic, partition }: TopicPartition,
  offset: number,
  generation: AbortSignal,
  { offsets, tries, clock }: LogEndDeps,
): Promise<boolean> {
  for (let asked = 1; ; asked++) {
    const known = await tries.until("offsets", generation, () => offsets.positions(topic));
    const { end, isLeaderless } = known?.get(partition) ?? {};
    // A partition without a leader is read no further: it is asked about until it has one.
    if (isLeaderless === true && !generation.aborted) asked = 0;
    else if (end === undefined || offset < end) return false;
    if (asked === ASKS) return true;
    await clock.sleep(ASK_AGAIN_MS, generation).catch(() => undefined);
  }
}
