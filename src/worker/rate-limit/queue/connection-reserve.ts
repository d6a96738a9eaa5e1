import type { Lane } from "../../../messages/lane.ts";
import { BACKFILL_TURN } from "./lane-share.ts";
import type { RequestQueue } from "./request-queue.ts";

/** Share of the connections that backfill may use. Chosen: with fewer than 8 connections, none is reserved. */
const TAKEN = 7 / 8;
/**
 * How long the reserve is kept after a realtime request, in milliseconds. Chosen: rarer realtime events wait for one
 * answer.
 */
export const RECENT_MS = 600_000;

/**
 * Keeps some connections free of backfill while realtime events come now and then. Where answers take seconds, requests
 * wait for connections, and the order of permits decides nothing. If backfill holds all connections, each realtime
 * event waits for the next answer. So backfill leaves some connections free, in addition to those that realtime events
 * hold. Backfill always gets its own share of the connections. Times are milliseconds of one clock.
 */
export class ConnectionReserve {
  readonly #most: number;
  readonly #share: number;
  readonly #out: Record<Lane, number> = { realtime: 0, backfill: 0 };
  #realtimeAt = Number.NEGATIVE_INFINITY;

  /** @param concurrency requests in flight at once; Infinity: there is always room. */
  constructor(concurrency: number) {
    this.#most = Math.ceil(concurrency * TAKEN);
    this.#share = Math.ceil(concurrency / BACKFILL_TURN);
  }

  /** Whether any realtime request was sent. `backfillsLeft` checks how long ago that was. */
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

  /** How many backfill requests may leave. Infinity: no connection is reserved. */
  backfillsLeft(now: number): number {
    if (now - this.#realtimeAt > RECENT_MS) return Number.POSITIVE_INFINITY;
    const { realtime, backfill } = this.#out;
    return Math.max(0, this.#most - realtime - backfill, this.#share - backfill);
  }

  /** How many permits the queued requests can use. A permit beyond that number would serve no request. */
  slotsFor(line: Pick<RequestQueue, "size" | "waits">, now: number): number {
    const left = this.backfillsLeft(now);
    return left >= line.size ? line.size : Math.min(line.size, Math.max(left, line.waits("realtime")));
  }
}
