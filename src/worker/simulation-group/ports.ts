import type { Turn } from "../pace/turn.ts";

/** Who waits for an answer. */
export interface Asker {
  /** Ends the wait; the request itself is given up once nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** For whom; a new one each time. */
  readonly turn: Turn;
  /** Told of each request that carries the question, just before it is sent. */
  onSent(): void;
}
