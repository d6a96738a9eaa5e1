import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { lanes } from "../../../messages/lane.ts";
import { CANARY_ITEMS } from "../calibration/calibration.ts";
import type { WaitingQueue } from "./waiting.ts";

/** How long a lane waits for company, milliseconds. Source: docs/decisions/0005-pooling.md. */
const LINGER_MS = { realtime: 20, backfill: 500 } as const;
/** A slot that takes longer to come is scarce: then realtime waits for company too. Chosen: a timer's inaccuracy. */
const SCARCE_MS = 5;

/**
 * How long what was flagged in the backfill waits to be confirmed with others, milliseconds. Chosen: at ten requests a second
 * a hundred leave meanwhile, of which confirmations are then one in a hundred; and a deposit that is flagged waits for none.
 */
const CONFIRM_LINGER_MS = 10_000;

/** Whether to send now, or to wait until a request is full. */
export class Linger {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #maxItems: number;
  #more = true;
  #isScarce = false;
  #look: (() => void) | undefined;

  /** @param maxItems of a request. */
  constructor(clock: Clock, signal: AbortSignal, maxItems = MAX_BATCH_ITEMS) {
    this.#maxItems = maxItems;
    this.#clock = clock;
    this.#signal = signal;
  }

  expectMore(more: boolean): void {
    this.#more = more;
    this.look();
  }

  slotTook(ms: number): void {
    this.#isScarce = ms > SCARCE_MS;
  }

  /** Something has changed. */
  look(): void {
    this.#look?.();
  }

  /**
   * Whether what was flagged is to be confirmed now: a deposit is among it, it fills a request, it has waited long enough, or
   * nothing more comes and what waits in `queue` fills none.
   */
  mayConfirm(flagged: WaitingQueue, queue: WaitingQueue): boolean {
    if (flagged.since("realtime") !== undefined) return true;
    const since = flagged.since("backfill");
    if (since === undefined) return false;
    const isFull = flagged.size + CANARY_ITEMS >= this.#maxItems;
    if (isFull || this.#clock.ticks() >= since + CONFIRM_LINGER_MS) return true;
    return !this.#more && !this.#fillsRequest(queue);
  }

  /**
   * Resolves when what waits in `queue` is worth a request, or when `isUrgent`.
   *
   * @param flagged queues of what is to be confirmed: the first of them may become urgent while nothing waits in `queue`.
   */
  async until(queue: WaitingQueue, isUrgent: () => boolean, flagged: readonly WaitingQueue[] = []): Promise<void> {
    const waitMs = () => (queue.size === 0 ? this.#untilConfirmed(flagged) : this.#waitMs(queue));
    for (let wait = waitMs(); wait > 0 && !isUrgent(); wait = waitMs()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const woken = new AbortController();
      const until = this.#clock.ticks() + wait;
      const wasEmpty = queue.size === 0;
      this.#look = () => {
        if (wasEmpty && queue.size > 0) resolve();
        if (isUrgent() || this.#hasEnough(queue) || this.#endsBefore(until, queue)) resolve();
      };
      const stop = () => woken.abort();
      this.#signal.addEventListener("abort", stop);
      this.#clock.sleep(wait, woken.signal).then(resolve, () => resolve());
      await promise;
      this.#look = undefined;
      this.#signal.removeEventListener("abort", stop);
      woken.abort();
      this.#signal.throwIfAborted();
    }
  }

  /** What was to be waited for at first is the timer's business; who comes later may only wait less, in the other lane. */
  #endsBefore(until: number, queue: WaitingQueue): boolean {
    return queue.since("realtime") !== undefined && this.#clock.ticks() + this.#waitMs(queue) < until;
  }

  #untilConfirmed(flagged: readonly WaitingQueue[]): number {
    const since = Math.min(...flagged.map((queue) => queue.since("backfill") ?? Number.POSITIVE_INFINITY));
    return since === Number.POSITIVE_INFINITY ? 0 : since + CONFIRM_LINGER_MS - this.#clock.ticks();
  }

  #hasEnough(queue: WaitingQueue): boolean {
    return !this.#more || this.#fillsRequest(queue);
  }

  #waitMs(queue: WaitingQueue): number {
    if (this.#hasEnough(queue)) return 0;
    const now = this.#clock.ticks();
    let wait = Number.POSITIVE_INFINITY;
    for (const lane of lanes) {
      const since = queue.since(lane);
      if (since === undefined) continue;
      const linger = lane === "realtime" && !this.#isScarce ? 0 : LINGER_MS[lane];
      wait = Math.min(wait, since + linger - now);
    }
    return wait === Number.POSITIVE_INFINITY ? 0 : wait;
  }

  #fillsRequest(queue: WaitingQueue): boolean {
    return queue.items + CANARY_ITEMS >= this.#maxItems;
  }
}
