import type { Clock } from "../../src/kernel/clock.ts";
import type { Random } from "../../src/kernel/retry.ts";

interface Timer {
  readonly at: number;
  /** Orders timers of one moment. The seed draws it, so that each order occurs under some seed. */
  readonly order: number;
  run: (() => void) | undefined;
}

/** The wall clock at the begin of a simulation, Unix milliseconds. */
export const BEGUN_AT = Date.UTC(2026, 0, 1);

/**
 * Time that moves only when nothing else can run: every promise that can continue does so before the next timer fires.
 * The wall clock may be set, which does not affect ticks.
 */
export class VirtualTime {
  readonly #random: Random;
  readonly #heap: Timer[] = [];
  #ticks = 0;
  #wallOffset = BEGUN_AT;

  constructor(random: Random) {
    this.#random = random;
  }

  get ticks(): number {
    return this.#ticks;
  }

  get now(): number {
    return Math.floor(this.#wallOffset + this.#ticks);
  }

  /** Moves the wall clock by `ms` milliseconds. */
  stepWall(ms: number): void {
    this.#wallOffset += ms;
  }

  /** Calls `run` in `ms`, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.#ticks + Math.max(0, ms), order: this.#random(), run };
    this.#push(timer);
    return () => {
      timer.run = undefined;
    };
  }

  /** Fires timers one by one until `isOver`. `idle` when no timer is left before that. */
  runUntil(isOver: () => boolean, untilTicks: number): Promise<"over" | "idle" | "late"> {
    return new Promise((resolve, reject) => {
      // `process.nextTick` runs when the queue of promises is empty, and is the cheapest way to wait for that.
      const tick = () => process.nextTick(step);
      const next = () => queueMicrotask(tick);
      const step = () => {
        try {
          if (isOver()) resolve("over");
          else if (!this.#fire()) resolve("idle");
          else if (this.#ticks > untilTicks) resolve("late");
          else next();
        } catch (thrown) {
          reject(thrown);
        }
      };
      next();
    });
  }

  #fire(): boolean {
    for (;;) {
      const timer = this.#pop();
      if (timer === undefined) return false;
      const { run } = timer;
      if (run === undefined) continue;
      this.#ticks = timer.at;
      run();
      return true;
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(timer);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Timer;
      if (!isBefore(timer, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left !== undefined && right !== undefined && isBefore(right, left)) child++;
      const below = heap[child];
      if (below === undefined || !isBefore(below, last)) {
        heap[at] = last;
        return first;
      }
      heap[at] = below;
      at = child;
    }
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/**
 * One process in virtual time. It dies at a chosen step. A step is anything that the process begins or that returns to
 * it. After its death, nothing returns to the process, and nothing that it begins has an effect.
 */
export class Life {
  readonly time: VirtualTime;
  readonly #diesAt: number;
  readonly #onDeath: (() => void)[] = [];
  #steps = 0;
  #isAlive = true;

  /** @param diesAt the last step of the process. Infinity means that it does not die. */
  constructor(time: VirtualTime, diesAt: number) {
    this.time = time;
    this.#diesAt = diesAt;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get steps(): number {
    return this.#steps;
  }

  onDeath(run: () => void): void {
    this.#onDeath.push(run);
  }

  /** An action begins or returns. @returns whether the process still lives. */
  step(): boolean {
    if (this.#isAlive && ++this.#steps >= this.#diesAt) this.end();
    return this.#isAlive;
  }

  end(): void {
    this.#isAlive = false;
    for (const run of this.#onDeath.splice(0)) run();
  }

  after(ms: number, run: () => void): () => void {
    return this.time.after(ms, () => {
      if (this.#isAlive && this.step()) run();
    });
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.step()) this.after(ms, resolve);
    });
  }
}

/** The clock of a process in virtual time. */
export class VirtualClock implements Clock {
  readonly #life: Life;

  constructor(life: Life) {
    this.#life = life;
  }

  now(): number {
    return this.#life.time.now;
  }

  ticks(): number {
    return this.#life.time.ticks;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      if (!this.#life.step()) return;
      const stop = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.#life.after(ms, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
