import Bottleneck from "bottleneck/light.js";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Slots } from "../../worker/ports.ts";
import { NextSlot } from "../../worker/rate-limit/learner/next-slot.ts";

export interface SlotsOptions {
  /** Least time between two permits, as for `Slots.pace`, milliseconds. */
  readonly minTimeMs: number;
  /** Most jobs that run at once. */
  readonly maxConcurrent: number;
  /** Part of a gap that a late permit does not cost the next permit, as for `NextSlot`. */
  readonly catchUp: number;
  readonly clock: Pick<Clock, "now" | "ticks">;
}

interface Waiting {
  readonly begin: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/**
 * Shortest gap that the limiter is used for, milliseconds. The limiter takes 2.4 ms for a job. Measured: 404 to 424
 * jobs a second at paces of 800 and 1,000, on two cores.
 */
const LEAST_LIMITED_MS = 2.5;
/**
 * Most jobs that begin in a second, about, however short the gaps are: timers count whole milliseconds. Measured: 847
 * to 861 at paces of 1,000 to 10,000 that catch up half a gap, on two busy cores.
 */
export const MOST_PER_SECOND = 850;
/**
 * Permits that are requested from the limiter ahead of time. A permit that is requested only after the previous one was
 * used takes 2.4 ms or more.
 */
const MAX_ASKED = 4;
/**
 * Milliseconds until a change of the wall clock is noticed while no permit arrives. Chosen: a request waits for this
 * long anyway.
 */
const LOOK_MS = 250;
/**
 * Two readings of a clock that differ by at most this many milliseconds show no change of the clock. Chosen: a quota in
 * whole requests tolerates this difference, too.
 */
const SET_MS = 20;
/** A timer of Node with a longer delay fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Paces jobs with bottleneck's `minTime`, and uses nothing else of bottleneck. Jobs wait in this class. The limiter
 * grants a few permits, and each permit goes to the job that is first when the permit arrives. Measured with bottleneck
 * 2.19.5:
 *
 * - Any Q + 1 jobs in a row take at least Q - 1 gaps, even when the process stalls. A limiter with several permits
 *   releases all of them together after a stall of 100 ms. So a permit waits here until it is due (`NextSlot`). The
 *   next due time counts from the previous due time, so most permits that are used late cost no time. One request for
 *   each permit, made when the previous permit was used, takes the limiter 2.4 ms. That lost 1.5 % of 200 jobs a
 *   second, and up to 40 % of 333.
 * - A permit is requested only when there is room for its job. So no permit that has arrived and is due waits for room.
 * - A pace of 0 bypasses the limiter. The limiter takes 2.4 ms for each job, one after the other, also at `minTime` 0.
 *   A pace that is too fast for the limiter bypasses it, too. A permit then arrives as soon as it is requested, and
 *   waits here until it is due.
 * - The limiter reads the wall clock (seen in its source). After the clock is set back by an hour, the next permit
 *   comes an hour later. After the clock is set back by a month, all permits come at once, since Node's timers end at
 *   2^31 ms. After the clock is set ahead, one permit comes too soon. So permits are dropped, and the limiter is
 *   replaced, when the wall clock moved by more than 20 ms against the monotonic clock. Lateness is no sign of a
 *   changed clock: on a busy machine all permits are late, and none would ever be used.
 * - `updateSettings` does not reach a permit that is already scheduled. So every change of the pace takes a new
 *   limiter, whether the pace becomes faster or slower.
 * - A new limiter grants its first permit at once. So it starts when the next permit may be used (`NextSlot`). The part
 *   of a permit that has built up survives the change of the limiter, however often the limiter changes.
 */
export class BottleneckSlots implements Slots {
  readonly #maxConcurrent: number;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  /** Jobs in the order of their arrival. A Set: an array of 100,000 takes 20 µs to remove its first element. */
  readonly #waiting = new Set<Waiting>();
  readonly #running = new Set<Promise<void>>();
  readonly #next: NextSlot;
  #limiter: Bottleneck | undefined;
  /** The timer until a new limiter may begin. It runs only while a job waits. */
  #resting: NodeJS.Timeout | undefined;
  /** Lead of the wall clock over the monotonic clock when `#limiter` began, milliseconds. */
  #aheadMs = 0;
  #looking: NodeJS.Timeout | undefined;
  #minTimeMs = 0;
  /** Permits that were requested from `#limiter` and not yet used, and the number of those that have arrived. */
  #asked = 0;
  #come = 0;
  /** The time since when at least one permit is requested, ticks. */
  #wantedAt = 0;
  /** The timer until the permit that has arrived is due. */
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

  /** Rejects all waiting jobs and all later jobs with `reason`. Resolves when the running jobs have ended. */
  async close(reason: unknown): Promise<void> {
    this.#closed ??= { reason };
    this.#drop();
    for (const { reject } of this.#waiting) reject(this.#closed.reason);
    this.#waiting.clear();
    await Promise.all(this.#running);
  }

  /** Requests a permit for each job that has room. Begins the jobs at once when there is no pace. */
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

  /** Uses the permits that have arrived and are due. */
  #spend(): void {
    // A job that begins requests more permits. The loop that is already running uses them.
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
      // The limiter was dropped together with this permit. The job still waits, or `close` rejected it.
    }
  }

  #beginAnew(): void {
    this.#drop();
    this.#proceed();
  }

  /** @returns whether the wall clock was set, which voids all permits of the limiter. */
  #hasBegunAnew(): boolean {
    if (Math.abs(this.#wallAheadMs() - this.#aheadMs) <= SET_MS) return false;
    this.#beginAnew();
    return true;
  }

  #wallAheadMs(): number {
    return this.#clock.now() - this.#clock.ticks();
  }

  /**
   * A new limiter, or undefined while its first permit would come too soon. In that case a timer requests the limiter
   * again.
   */
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
    // A broken limiter grants no more permits, and jobs would wait forever.
    limiter.on("error", (error: unknown) => {
      if (limiter === this.#limiter) void this.close(toError(error));
    });
    this.#limiter = limiter;
    return limiter;
  }

  /** Stops the limiter and its timers. */
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
