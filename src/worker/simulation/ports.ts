import type { Cancellation } from "../checks/cancellation.ts";
import type { Waiter } from "../rate-limit/queue/waiter.ts";

/** An event that waits for an answer. */
export interface SimulationRequester {
  /** Ends the wait. The request is given up once no event waits for it any more. */
  readonly signal: AbortSignal;
  /** The waiter of the event. Retries reuse it, so that the question keeps its position. */
  readonly turn: Waiter;
  /** Absent when the event has no deadline. */
  readonly leaving?: Cancellation | undefined;
  /** Called for each request with the question, just before it is sent. */
  onSent(): void;
}
