import { LoadRefusedError, UnavailableError } from "../service-errors.ts";
import { ownFailure } from "./load-signs.ts";

/** Refusals of one event, with answers to others in between, after which nothing but the event is refused. Chosen. */
const MOST = 3;
/** Events that are remembered. Chosen: more than wait for their next request at once. */
const REMEMBERED = 10_000;

interface Row {
  readonly refusals: number;
  /** Answers to all requests when the last refusal was counted. */
  readonly answers: number;
}

/**
 * Tells a service that refuses for load, or says that it is down, from an event that it answers 503 to whenever that comes:
 * such an event would be asked for ever, since those refusals cost no attempt, and slow all others down.
 */
export class LoadRefusals {
  readonly #rows = new Map<string, Row>();

  /** What a request about `events` failed with. @param answers requests that were answered so far. */
  judge(thrown: unknown, events: Iterable<string>, answers: number): unknown {
    const isAnnounced = thrown instanceof UnavailableError && thrown.retryAfterMs !== undefined;
    if (!(isAnnounced || thrown instanceof LoadRefusedError)) return thrown;
    let isOwn = false;
    for (const event of events) isOwn = this.#add(event, answers) > MOST || isOwn;
    return isOwn ? ownFailure(thrown) : thrown;
  }

  /** A request about `events` was answered. */
  answered(events: Iterable<string>): void {
    // Nearly always nothing is remembered.
    if (this.#rows.size > 0) for (const event of events) this.#rows.delete(event);
  }

  #add(event: string, answers: number): number {
    const row = this.#rows.get(event);
    if (row !== undefined && answers <= row.answers) return row.refusals;
    const refusals = (row?.refusals ?? 0) + 1;
    this.#rows.delete(event);
    this.#rows.set(event, { refusals, answers });
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > REMEMBERED && oldest !== undefined) this.#rows.delete(oldest);
    return refusals;
  }
}
