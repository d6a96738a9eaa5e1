import type { Clock } from "../../kernel/clock.ts";
import type { Silence } from "../rate-limit/breaker/outage.ts";
import { Deadlines, type Due } from "../screening/deadlines.ts";

/** Those that are due within so long are told together, milliseconds: who waits is counted through each time. Chosen. */
const TOGETHER_MS = 50;

/** Tickets that wait until they are due: all on one timer and one signal, since thousands wait and each is to hold little. */
export class UntilDue {
  readonly #clock: Clock;
  readonly #silence: Pick<Silence, "onOver">;
  readonly #stop: AbortSignal;
  readonly #deadlines: Deadlines;
  readonly #waiting = new Map<Due, PromiseWithResolvers<void>>();

  /** @param stop gives every wait up. */
  constructor(clock: Clock, silence: Pick<Silence, "onOver">, stop: AbortSignal) {
    this.#clock = clock;
    this.#silence = silence;
    this.#stop = stop;
    this.#deadlines = new Deadlines(clock);
    stop.addEventListener("abort", () => this.#giveUp(), { once: true });
  }

  /**
   * Resolves after so many milliseconds, or a little later.
   *
   * @param isWaitedFor then it need not sit out a wait that an outage made long: it ends once the service answers again.
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
