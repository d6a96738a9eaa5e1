import type { Clock } from "../../kernel/clock.ts";

/** Notified when its deadline passes, unless it is removed before. Must not throw, because other listeners follow. */
export interface Due {
  overdue(): void;
  /** Asked when its time is over: until when it waits by then, milliseconds of `ticks`. Absent: no longer. */
  waitsUntil?(): number;
}

interface Timer {
  readonly at: number;
  readonly stop: AbortController;
}

/**
 * All waiting deadlines, on one timer. The timer runs until the earliest deadline at the time when it was set. Nearly
 * all entries are removed long before, so the next deadline is searched only when the timer ends.
 */
export class DeadlineWatch {
  readonly #clock: Pick<Clock, "ticks" | "sleep">;
  readonly #waiting = new Map<Due, number>();
  #timer: Timer | undefined;

  constructor(clock: Pick<Clock, "ticks" | "sleep">) {
    this.#clock = clock;
  }

  /** @param at The deadline, milliseconds of `ticks`. */
  add(due: Due, at: number): void {
    this.#waiting.set(due, at);
    if (this.#timer === undefined || at < this.#timer.at) this.#sleepUntil(at);
  }

  /**
   * Removes an entry.
   *
   * @returns its deadline. Undefined if the deadline has passed and the entry was notified.
   */
  remove(due: Due): number | undefined {
    const at = this.#waiting.get(due);
    this.#waiting.delete(due);
    if (this.#waiting.size === 0) this.#stop();
    return at;
  }

  #sleepUntil(at: number): void {
    this.#stop();
    const timer: Timer = { at, stop: new AbortController() };
    const end = () => this.#end(timer);
    this.#timer = timer;
    this.#clock.sleep(Math.max(0, at - this.#clock.ticks()), timer.stop.signal).then(end, end);
  }

  #stop(): void {
    const timer = this.#timer;
    this.#timer = undefined;
    timer?.stop.abort();
  }

  #end(timer: Timer): void {
    // Another timer runs, or none is needed.
    if (timer !== this.#timer) return;
    this.#timer = undefined;
    // A timer may end a little early.
    const now = Math.max(timer.at, this.#clock.ticks());
    const over: Due[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [due, at] of this.#waiting) {
      const until = at <= now ? (due.waitsUntil?.() ?? at) : at;
      if (until > at) this.#waiting.set(due, until);
      if (until <= now) over.push(due);
      else if (until < next) next = until;
    }
    for (const due of over) this.#waiting.delete(due);
    if (this.#waiting.size > 0) this.#sleepUntil(next);
    for (const due of over) due.overdue();
  }
}
