import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { lanes } from "../../../messages/lane.ts";
import { CANARY_ITEMS } from "../canary.ts";
import type { EntryQueue } from "./entry-queue.ts";

/** How long the entries of a lane wait for other entries, milliseconds. Source: docs/decisions/0005-pooling.md. */
const LINGER_MS = { realtime: 20, backfill: 500 } as const;
/**
 * A permit that takes longer is scarce, milliseconds. Then realtime entries linger too. Chosen: a timer's inaccuracy.
 */
const SCARCE_MS = 5;

/**
 * How long a flagged backfill entry waits to be confirmed together with others, milliseconds. Chosen: at ten requests a
 * second, a hundred requests leave in that time, and one of the hundred is a confirmation. A flagged deposit does not
 * wait.
 */
const CONFIRM_LINGER_MS = 10_000;

/** Decides whether to send now, or to wait until a request is full. */
export class BatchDelay {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #maxItems: number;
  #more = true;
  #isScarce = false;
  #look: (() => void) | undefined;

  /** @param maxItems Limit of items in a request. */
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

  /** Checks again whether to send, after a change of the queues. */
  look(): void {
    this.#look?.();
  }

  /**
   * Whether flagged entries are confirmed now. One of these conditions suffices:
   *
   * - A realtime entry is flagged.
   * - The flagged entries fill a request.
   * - The oldest flagged entry has waited long enough.
   * - No more events are expected, and the entries in `queue` fill no request.
   */
  mayConfirm(flagged: EntryQueue, queue: EntryQueue): boolean {
    if (flagged.since("realtime") !== undefined) return true;
    const since = flagged.since("backfill");
    if (since === undefined) return false;
    const isFull = flagged.size + CANARY_ITEMS >= this.#maxItems;
    if (isFull || this.#clock.ticks() >= since + CONFIRM_LINGER_MS) return true;
    return !this.#more && !this.#fillsRequest(queue);
  }

  /**
   * Resolves when the entries in `queue` are worth a request, or when `isUrgent` holds.
   *
   * @param flagged Queues of flagged entries. They may become urgent while `queue` is empty.
   */
  async until(queue: EntryQueue, isUrgent: () => boolean, flagged: readonly EntryQueue[] = []): Promise<void> {
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

  /**
   * The timer covers the entries that waited first. A later entry can only shorten the wait, from the realtime lane.
   */
  #endsBefore(until: number, queue: EntryQueue): boolean {
    return queue.since("realtime") !== undefined && this.#clock.ticks() + this.#waitMs(queue) < until;
  }

  #untilConfirmed(flagged: readonly EntryQueue[]): number {
    const since = Math.min(...flagged.map((queue) => queue.since("backfill") ?? Number.POSITIVE_INFINITY));
    return since === Number.POSITIVE_INFINITY ? 0 : since + CONFIRM_LINGER_MS - this.#clock.ticks();
  }

  #hasEnough(queue: EntryQueue): boolean {
    return !this.#more || this.#fillsRequest(queue);
  }

  #waitMs(queue: EntryQueue): number {
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

  #fillsRequest(queue: EntryQueue): boolean {
    return queue.items + CANARY_ITEMS >= this.#maxItems;
  }
}
