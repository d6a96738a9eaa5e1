import Bottleneck from "bottleneck";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import { NextSlot } from "../../worker/pace/next-slot.ts";
import type { Slots } from "../../worker/ports.ts";

export interface SlotsOptions {
  /** As in `pace`. */
  readonly minTimeMs: number;
  /** Jobs that run at once. */
  readonly maxConcurrent: number;
  readonly clock: Pick<Clock, "now" | "ticks">;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** Slots asked of the limiter ahead of time: one that is appointed, and one that takes its turn without a delay. */
const MAX_ASKED = 2;
/** How soon a wall clock that was set is noticed where no slot comes. Chosen: what a request waits for anyway. */
const LOOK_MS = 250;
/** Two readings that lie apart by no more are of one clock. Chosen: what a quota in whole requests bears, too. */
const SET_MS = 20;
/** A timer of Node that is to wait for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Paces with bottleneck's `minTime`, and asks nothing else of it. Jobs wait here, and the limiter appoints one slot at a
 * time (`maxConcurrent: 1`) for whichever job is first when it comes. So, and measured with 2.19.5:
 *
 * - Any Q + 1 jobs in a row take at least Q - 1 gaps, even when the process stalls: a slot is appointed after the one
 *   before it was used. A limiter that holds all jobs appoints `maxConcurrent` ahead, and after a stall of 100 ms they
 *   begin together: 22 where 11 were due.
 *   The price, on two shared cores: 87-99 % of 200 jobs a second, 59-85 % of 333; beyond that, put more into a job.
 * - A slot is asked for only when there is room for its job, so no slot is used later than it comes.
 * - A pace of 0 takes the limiter out: it costs 2.4 ms a job, one after the other, also at `minTime` 0.
 * - The limiter goes by the wall clock (read in its source). Set back by an hour it appoints the next slot an hour later, by a
 *   month all slots at once (Node's timers end at 2^31 ms); set ahead, one too soon. So where the clock was set by
 *   more than 20 ms against the monotonic one, the slots it appointed are not used, and a new limiter takes its place.
 *   Lateness would be no sign of it: on a busy machine all slots are late, and none would ever come.
 * - `updateSettings` does not reach an appointed slot. So another pace, too, takes a new limiter, a faster one and a
 *   slower one alike.
 * - A new limiter gives its first slot at once, so it begins when the next slot may be used (`NextSlot`): what had come of
 *   a slot is not lost with the limiter, however often that changes, and no two slots are closer than the gap.
 */
export class BottleneckSlots implements Slots {
  readonly #maxConcurrent: number;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  /** In the order they came; a Set, since an array of 100,000 takes 20 µs to give its first up. */
  readonly #waiting = new Set<Waiting>();
  readonly #running = new Set<Promise<void>>();
  readonly #next: NextSlot;
  #limiter: Bottleneck | undefined;
  /** Until a new limiter may begin; only while somebody waits. */
  #resting: NodeJS.Timeout | undefined;
  /** How far the wall clock was ahead of the monotonic one when `#limiter` began; milliseconds. */
  #aheadMs = 0;
  #looking: NodeJS.Timeout | undefined;
  #minTimeMs = 0;
  /** Slots asked of `#limiter` that have not come. */
  #asked = 0;
  #closed: { readonly reason: unknown } | undefined;

  constructor({ minTimeMs, maxConcurrent, clock }: SlotsOptions) {
    this.#clock = clock;
    this.#maxConcurrent = maxConcurrent;
    this.#minTimeMs = Math.min(minTimeMs, LONGEST_TIMER_MS);
    this.#next = new NextSlot(this.#minTimeMs);
  }

  run<T>(job: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.#closed !== undefined) {
      reject(this.#closed.reason);
      return promise;
    }
    const begin = async () => {
      try {
        resolve(await job());
      } catch (thrown) {
        reject(thrown);
      }
    };
    this.#waiting.add({ begin, reject });
    this.#proceed();
    return promise;
  }

  pace(minTimeMs: number): void {
    const paceMs = Math.min(minTimeMs, LONGEST_TIMER_MS);
    if (this.#closed !== undefined || paceMs === this.#minTimeMs) return;
    this.#minTimeMs = paceMs;
    this.#next.pace(paceMs, this.#clock.ticks());
    this.#beginAnew();
  }

  /** Rejects what waits and whatever comes later with `reason`. Resolves when the jobs that run have ended. */
  async close(reason: unknown): Promise<void> {
    this.#closed ??= { reason };
    this.#drop();
    for (const { reject } of this.#waiting) reject(this.#closed.reason);
    this.#waiting.clear();
    await Promise.all(this.#running);
  }

  /** Asks for as many slots as there are jobs and room for; begins them at once when there is no pace. */
  #proceed(): void {
    const room = () => Math.min(this.#waiting.size, this.#maxConcurrent - this.#running.size) - this.#asked;
    if (this.#minTimeMs === 0) {
      while (room() > 0) this.#begin();
      return;
    }
    while (this.#asked < MAX_ASKED && room() > 0) {
      const limiter = this.#limiter ?? this.#limiterIfDue();
      if (limiter === undefined) return;
      this.#asked++;
      void this.#slotOf(limiter, () => {
        if (limiter !== this.#limiter || this.#hasBegunAnew()) return;
        this.#asked--;
        this.#begin();
        this.#proceed();
      });
    }
  }

  #begin(): void {
    const [job] = this.#waiting;
    if (job === undefined) return;
    this.#waiting.delete(job);
    this.#next.used(this.#clock.ticks());
    const running = job.begin().finally(() => {
      this.#running.delete(running);
      this.#proceed();
    });
    this.#running.add(running);
  }

  async #slotOf(limiter: Bottleneck, use: () => void): Promise<void> {
    try {
      await limiter.schedule(async () => use());
    } catch {
      // The limiter was dropped, and this slot with it; its job still waits, or was rejected by `close`.
    }
  }

  #beginAnew(): void {
    this.#drop();
    this.#proceed();
  }

  /** @returns whether the wall clock was set, so that no slot counts which the limiter appointed. */
  #hasBegunAnew(): boolean {
    if (Math.abs(this.#wallAheadMs() - this.#aheadMs) <= SET_MS) return false;
    this.#beginAnew();
    return true;
  }

  #wallAheadMs(): number {
    return this.#clock.now() - this.#clock.ticks();
  }

  /** A new one, or undefined while it is too soon for its first slot: then it will be asked for again. */
  #limiterIfDue(): Bottleneck | undefined {
    if (this.#resting !== undefined) return undefined;
    const restMs = Math.ceil(this.#next.at - this.#clock.ticks());
    if (restMs <= 0) return this.#newLimiter();
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#proceed();
    }, restMs);
    return undefined;
  }

  #newLimiter(): Bottleneck {
    this.#aheadMs = this.#wallAheadMs();
    this.#looking = setInterval(() => this.#hasBegunAnew(), LOOK_MS).unref();
    const limiter = new Bottleneck({ minTime: this.#minTimeMs, maxConcurrent: 1 });
    // A limiter that is broken appoints no more slots, and jobs would wait for good.
    limiter.on("error", (error: unknown) => {
      if (limiter === this.#limiter) void this.close(toError(error));
    });
    this.#limiter = limiter;
    return limiter;
  }

  /** Gives the limiter and its timers up. */
  #drop(): void {
    const limiter = this.#limiter;
    clearInterval(this.#looking);
    clearTimeout(this.#resting);
    this.#resting = undefined;
    this.#limiter = undefined;
    this.#asked = 0;
    limiter?.stop({ dropWaitingJobs: true }).catch(() => undefined);
  }
}
