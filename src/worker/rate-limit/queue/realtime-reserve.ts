import type { Lane } from "../../../messages/lane.ts";
import { BACKFILL_TURN, type RequestQueue } from "./request-queue.ts";

/** Of what may be on the wire at once the backfill leaves the rest free. Chosen: nothing, where that is less than 8. */
const TAKEN = 7 / 8;
/** For how long after a realtime request, milliseconds. Chosen: deposits that come more seldom wait for one answer. */
export const RECENT_MS = 600_000;

/**
 * Keeps some connections free of the backfill while deposits come now and then. Where answers take seconds it is
 * connections that are waited for, and whose slot is next decides nothing: a backfill that holds all of them makes each
 * deposit wait for the next answer. So the backfill leaves some free, beside those that deposits hold, but may have
 * its share of them whatever deposits hold. Times are milliseconds of one clock.
 */
export class RealtimeReserve {
  readonly #most: number;
  readonly #share: number;
  readonly #out: Record<Lane, number> = { realtime: 0, backfill: 0 };
  #realtimeAt = Number.NEGATIVE_INFINITY;

  /** @param concurrency requests on the wire at once; Infinity: there is always room. */
  constructor(concurrency: number) {
    this.#most = Math.ceil(concurrency * TAKEN);
    this.#share = Math.ceil(concurrency / BACKFILL_TURN);
  }

  /** Whether there was a deposit to keep room after; how long ago is for `backfillsLeft` to say. */
  get isKept(): boolean {
    return this.#realtimeAt > Number.NEGATIVE_INFINITY;
  }

  sent(lane: Lane, now: number): void {
    if (lane === "realtime") this.#realtimeAt = now;
    this.#out[lane]++;
  }

  ended(lane: Lane): void {
    this.#out[lane]--;
  }

  /** How many requests of the backfill may leave; Infinity: nothing is kept. */
  backfillsLeft(now: number): number {
    if (now - this.#realtimeAt > RECENT_MS) return Number.POSITIVE_INFINITY;
    const { realtime, backfill } = this.#out;
    return Math.max(0, this.#most - realtime - backfill, this.#share - backfill);
  }

  /** How many slots those who wait may use: one that is asked for beyond that would come for nobody. */
  slotsFor(line: Pick<RequestQueue, "size" | "waits">, now: number): number {
    const left = this.backfillsLeft(now);
    return left >= line.size ? line.size : Math.min(line.size, Math.max(left, line.waits("realtime")));
  }
}
