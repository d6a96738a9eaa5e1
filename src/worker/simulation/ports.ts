import type { Leaving } from "../checks/leaving.ts";
import type { Turn } from "../rate-limit/queue/turn.ts";

/** Who waits for an answer. */
export interface Asker {
  /** Ends the wait; the request itself is given up once nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** For whom; the same when a question is asked again, so that it keeps its place. */
  readonly turn: Turn;
  /** Absent where an event waits without an end. */
  readonly leaving?: Leaving | undefined;
  /** Told of each request that carries the question, just before it is sent. */
  onSent(): void;
}
