import type { Clock } from "../../kernel/clock.ts";
import { RateLimitedError } from "../service-errors.ts";
import type { Gate } from "./gate.ts";
import type { LearnedQuota } from "./learned-quota.ts";
import type { RateLearner } from "./rate-learner.ts";
import { turnOf } from "./turn.ts";

export interface MeasureQuotaOptions {
  readonly gate: Gate;
  /** The gate's own, which knows nothing yet. */
  readonly learner: RateLearner;
  /** Makes one request. */
  readonly ask: () => Promise<unknown>;
  /** Requests on the wire at once. */
  readonly concurrency: number;
  readonly maxRequests: number;
  readonly clock: Clock;
}

export interface MeasuredQuota {
  /** Undefined: so many requests did not tell. */
  readonly learned: LearnedQuota | undefined;
  readonly requests: number;
  /** Of these, answered with a 429. */
  readonly refused: number;
  readonly tookMs: number;
}

/**
 * Finds a key's quota out by using it up: asks until it is learned, and no more than `maxRequests` times.
 *
 * @throws whatever the service fails with but a 429.
 */
export async function measureQuota(options: MeasureQuotaOptions): Promise<MeasuredQuota> {
  const { gate, learner, ask, concurrency, maxRequests, clock } = options;
  const begunAt = clock.ticks();
  const over = new Error("the quota is measured");
  let requests = 0;
  let refused = 0;
  const isOver = () => learner.learned !== undefined || requests >= maxRequests;
  const send = () => {
    if (isOver()) return undefined;
    requests++;
    return { events: ["quota"], answer: ask() };
  };
  const asker = async () => {
    while (!isOver()) {
      try {
        await gate.run(send, turnOf({ lane: "backfill", tenant: "" }));
      } catch (thrown) {
        if (thrown === over) return;
        if (!(thrown instanceof RateLimitedError)) {
          gate.abandon(over);
          throw thrown;
        }
        refused++;
      }
    }
    // Those who wait for a slot, or for the quota to open again, need not.
    gate.abandon(over);
  };
  await Promise.all(Array.from({ length: concurrency }, asker));
  return { learned: learner.learned, requests, refused, tookMs: clock.ticks() - begunAt };
}
