import type { Cancellation } from "../checks/cancellation.ts";
import type { Waiter } from "../rate-limit/queue/waiter.ts";

/** Who waits for an answer. */
export interface SimulationRequester {
  /** Ends the wait; the request itself is given up once nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** For whom; the same when a question is asked again, so that it keeps its place. */
  readonly turn: Waiter;
  /** Absent where an event waits without an end. */
  readonly leaving?: Cancellation | undefined;
  /** Told of each request that carries the question, just before it is sent. */
  onSent(): void;
}
