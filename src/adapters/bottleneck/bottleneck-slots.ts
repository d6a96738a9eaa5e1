import Bottleneck from "bottleneck/light.js";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Slots } from "../../worker/ports.ts";
import { NextSlot } from "../../worker/rate-limit/learner/next-slot.ts";

export interface SlotsOptions {
  /** As in `pace`. */
  readonly minTimeMs: number;
  /** Jobs that run at once. */
  readonly maxConcurrent: number;
  /** As in `NextSlot`. */
  readonly catchUp: number;
  readonly clock: Pick<Clock, "now" | "ticks">;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** The limiter keeps no shorter gaps, milliseconds: a job takes it 2.4 (404 to 424 a second measured at paces of 800 and 1,000, two cores). */
const LEAST_LIMITED_MS = 2.5;
/** Jobs that begin in a second at most, about, however short their gaps: timers count milliseconds (847 to 861 measured at paces of 1,000 to 10,000 that catch up half a gap, two busy cores). */
export const MOST_PER_SECOND = 850;
/** Slots that the limiter appoints ahead of time: to ask for one when the one before it was used takes 2.4 ms and more. */
const MAX_ASKED = 4;
/** How soon a wall clock that was set is noticed where no slot comes. Chosen: what a request waits for anyway. */
const LOOK_MS = 250;
/** Two readings that lie apart by no more are of one clock. Chosen: what a quota in whole requests bears, too. */
const SET_MS = 20;
/** A timer of Node that is to wait for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Paces with bottleneck's `minTime`, and asks nothing else of it. Jobs wait here, and the limiter appoints a few slots
 * for whichever jobs are first when they come. So, and measured with 2.19.5:
 *
 * - Any Q + 1 jobs in a row take at least Q - 1 gaps, even when the process stalls: a limiter that appoints several slots
 *   lets all of them come together after a stall of 100 ms, so what has come waits here until it is due (`NextSlot`).
 *   What is due goes by when the one before it was due, so most slots that are used late cost none. To ask for each when the one
 *   before was used takes the limiter 2.4 ms, and lost 1.5 % of 200 jobs a second, up to 40 % of 333.
 * - A slot is asked for only when there is room for its job, so none waits for that when it has come and is due.
 * - A pace of 0 takes the limiter out: it costs 2.4 ms a job, one after the other, also at `minTime` 0. So does one that it
 *   cannot keep for that reason: then a slot has come whenever it is asked for, and waits here until it is due.
 * - The limiter goes by the wall clock (read in its source). Set back by an hour it appoints the next slot an hour later, by a
 *   month all slots at once (Node's timers end at 2^31 ms); set ahead, one too soon. So where the clock was set by
 *   more than 20 ms against the monotonic one, the slots it appointed are not used, and a new limiter takes its place.
 *   Lateness would be no sign of it: on a busy machine all slots are late, and none would ever come.
 * - `updateSettings` does not reach an appointed slot. So another pace, too, takes a new limiter, a faster one and a
 *   slower one alike.
 * - A new limiter gives its first slot at once, so it begins when the next slot may be used (`NextSlot`): what had come of
 *   a slot is not lost with the limiter, however often that changes.
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
  /** Slots asked of `#limiter` that are not used, and how many of those have come. */
  #asked = 0;
  #come = 0;
  /** Since when one is asked for at least. */
  #wantedAt = 0;
  /** Until the one that has come is due. */
  #holding: NodeJS.Timeout | undefined;
  #isSpending = false;
  #closed: { readonly reason: unknown } | undefined;

  constructor({ minTimeMs, maxConcurrent, catchUp, clock }: SlotsOptions) {
    this.#clock = clock;
    this.#maxConcurrent = maxConcurrent;
    this.#minTimeMs = Math.min(minTimeMs, LONGEST_TIMER_MS);
    this.#next = new NextSlot(this.#minTimeMs, catchUp);
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
    const isLimited = this.#minTimeMs >= LEAST_LIMITED_MS;
    while (this.#asked < MAX_ASKED && room() > 0) {
      const limiter = isLimited ? (this.#limiter ?? this.#limiterIfDue()) : undefined;
      if (isLimited && limiter === undefined) return;
      if (this.#asked === 0) this.#wantedAt = this.#clock.ticks();
      this.#asked++;
      if (limiter === undefined) this.#come++;
      else
        void this.#slotOf(limiter, () => {
          if (limiter !== this.#limiter || this.#hasBegunAnew()) return;
          this.#come++;
          this.#spend();
        });
    }
    if (!isLimited) this.#spend();
  }

  /** Uses what has come and is due. */
  #spend(): void {
    // A job that begins has more asked for, which this very loop uses.
    if (this.#isSpending) return;
    this.#isSpending = true;
    try {
      this.#spendAll();
    } finally {
      this.#isSpending = false;
    }
  }

  #spendAll(): void {
    while (this.#come > 0 && this.#holding === undefined) {
      const restMs = this.#next.at - this.#clock.ticks();
      if (restMs > 0) {
        this.#holding = setTimeout(() => {
          this.#holding = undefined;
          this.#spend();
        }, Math.ceil(restMs));
        return;
      }
      this.#come--;
      this.#asked--;
      this.#begin(this.#wantedAt);
      this.#proceed();
    }
  }

  #begin(wantedAt?: number): void {
    const [job] = this.#waiting;
    if (job === undefined) return;
    this.#waiting.delete(job);
    this.#next.used(this.#clock.ticks(), wantedAt);
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
    const limiter = new Bottleneck({ minTime: this.#minTimeMs, maxConcurrent: MAX_ASKED });
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
    clearTimeout(this.#holding);
    this.#resting = undefined;
    this.#holding = undefined;
    this.#limiter = undefined;
    this.#asked = 0;
    this.#come = 0;
    limiter?.stop({ dropWaitingJobs: true }).catch(() => undefined);
  }
}
