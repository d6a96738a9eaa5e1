import type { Lane } from "../../src/messages/lane.ts";
import type { WeightOf } from "../../src/worker/rate-limit/queue/request-queue.ts";
import { type Waiter, waiterOf } from "../../src/worker/rate-limit/queue/waiter.ts";

/** All tenants have the same share. */
export const evenly: WeightOf = () => 1;

/** A waiter with arbitrary values. */
export function someTurn(lane: Lane = "realtime", tenant = ""): Waiter {
  return waiterOf({ lane, tenant });
}
