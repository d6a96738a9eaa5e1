import type { Clock } from "../../kernel/clock.ts";

/** Whether an event can no longer be answered by its deadline. @param since when it was written. Unix milliseconds. */
export function isPastDeadline(since: number, now: number, deadlineMs: number): boolean {
  return since + deadlineMs <= now;
}

/** The grace of one event. Times are milliseconds of `ticks`. */
export interface Grace {
  /** Until when the event waits, as far as is known now: by then the service may have answered more. */
  endsAt(): number;
  /** Until when the event must be back that is put off without a verdict. */
  putOffUntil(): number;
}

export interface GraceDeps {
  readonly clock: Pick<Clock, "ticks">;
  /** Knows when the service answered last, milliseconds of `ticks`. */
  readonly gate: { readonly answeredAt: number };
  /** How long an event waits while the service is silent, milliseconds. */
  readonly overdueGraceMs: number;
  /** How long it waits at most, milliseconds. */
  readonly deadlineMs: number;
}

/**
 * How long an event waits for its answer that is past its deadline when it is read. An UNKNOWN helps while the service is
 * silent. While the service answers, the event's answer is to come, and an UNKNOWN ahead of it is only a second verdict. So the
 * grace goes on as long as the service answers, and ends one deadline after the event was read.
 */
export class OverdueGrace {
  readonly #deps: GraceDeps;
  /** When an overdue event was answered last, milliseconds of `ticks`. */
  #eventAnsweredAt = Number.NEGATIVE_INFINITY;

  constructor(deps: GraceDeps) {
    this.#deps = deps;
  }

  /** The service has answered all that an overdue event asked. */
  eventAnswered(): void {
    this.#eventAnsweredAt = this.#deps.clock.ticks();
  }

  /** Of an event that is read now. */
  begin(): Grace {
    const { clock, gate, overdueGraceMs, deadlineMs } = this.#deps;
    const readAt = clock.ticks();
    const lastAt = readAt + deadlineMs;
    const endsAt = () => Math.min(lastAt, Math.max(readAt, gate.answeredAt) + overdueGraceMs);
    // The service answers those, too, of which it only says that they are not ready.
    const areAnswered = () => clock.ticks() < this.#eventAnsweredAt + overdueGraceMs;
    return { endsAt, putOffUntil: () => (areAnswered() ? lastAt : Math.min(lastAt, readAt + overdueGraceMs)) };
  }
}
