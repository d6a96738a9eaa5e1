import type { Clock } from "../../kernel/clock.ts";
import type { Outage } from "../rate-limit/breaker/outage.ts";
import { DeadlineWatch, type Due } from "../screening/deadline-watch.ts";

/**
 * Retry tickets that are due within this time are released together, milliseconds. Each release goes through all
 * waiting tickets. Chosen.
 */
const TOGETHER_MS = 50;

/**
 * Retry tickets that wait until they are due. All share one timer and one signal, since thousands wait and each should
 * hold little memory.
 */
export class UntilDue {
  readonly #clock: Clock;
  readonly #silence: Pick<Outage, "onOver">;
  readonly #stop: AbortSignal;
  readonly #deadlines: DeadlineWatch;
  readonly #waiting = new Map<Due, PromiseWithResolvers<void>>();

  /** @param stop ends every wait. */
  constructor(clock: Clock, silence: Pick<Outage, "onOver">, stop: AbortSignal) {
    this.#clock = clock;
    this.#silence = silence;
    this.#stop = stop;
    this.#deadlines = new DeadlineWatch(clock);
    stop.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  /**
   * Resolves after `ms` milliseconds, or slightly later.
   *
   * @param isWaitedFor whether a realtime event waits. Its wait also ends when the service answers again after an
   *   outage.
   * @throws when the wait is given up.
   */
  wait(ms: number, isWaitedFor: boolean): Promise<void> {
    if (this.#stop.aborted) return Promise.reject(this.#stop.reason);
    const over = Promise.withResolvers<void>();
    const end = () => {
      this.#waiting.delete(due);
      this.#deadlines.remove(due);
      over.resolve();
    };
    const forget = isWaitedFor ? this.#silence.onOver(end) : undefined;
    const due: Due = {
      overdue: () => {
        forget?.();
        end();
      },
    };
    this.#waiting.set(due, over);
    this.#deadlines.add(due, Math.ceil((this.#clock.ticks() + ms) / TOGETHER_MS) * TOGETHER_MS);
    return over.promise;
  }

  #giveUp(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [due, { reject }] of waiting) {
      this.#deadlines.remove(due);
      reject(this.#stop.reason);
    }
  }
}
