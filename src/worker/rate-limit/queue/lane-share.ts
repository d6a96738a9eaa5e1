import type { RequestLane } from "./waiter.ts";

/** While realtime or overdue events wait, every tenth slot is for the backfill. Source: docs/decisions/0006-pacing.md. */
export const BACKFILL_TURN = 10;

/**
 * While realtime events wait and no backfill does, one permit in this many goes to late questions. Chosen: 2 %. With 10
 * %, a load of 95 % of the quota never recovers: realtime gets 90 % of the permits, and the rest of its questions
 * become late.
 */
export const LATE_TURN = 50;

/**
 * Chooses the lane of each permit. Realtime goes first, and overdue events come next. While the backfill waits, every
 * tenth permit goes to the backfill and to the lane behind the first one in turn: to overdue events behind realtime, or
 * else to late questions.
 */
export class LaneShare {
  /** Permits in a row that went to the first lane while another lane waited. */
  #contested = 0;
  /** Whether the backfill had the last permit that was not for the first lane. */
  #wasBackfill = true;

  /** @param waiting the number of waiting requests by lane. */
  next({ realtime, overdue, late, backfill }: Readonly<Record<RequestLane, { readonly size: number }>>): RequestLane {
    const first = realtime.size === 0 && overdue.size > 0 ? "overdue" : "realtime";
    const second = first === "realtime" && overdue.size > 0 ? "overdue" : "late";
    const behind = second === "overdue" ? overdue.size : late.size;
    if (behind + backfill.size === 0) return first;
    const turn = backfill.size > 0 ? BACKFILL_TURN : LATE_TURN;
    const isFirstWaiting = first === "overdue" || realtime.size > 0;
    if (isFirstWaiting && ++this.#contested < turn) return first;
    this.#contested = 0;
    this.#wasBackfill = backfill.size > 0 && (behind === 0 || !this.#wasBackfill);
    return this.#wasBackfill ? "backfill" : second;
  }
}
