import type { Clock } from "../../src/kernel/clock.ts";
import type { Random } from "../../src/kernel/random.ts";

interface Timer {
  readonly at: number;
  /** Decides among timers of one moment: drawn by the seed, so that each order comes up under some seed. */
  readonly order: number;
  run: (() => void) | undefined;
}

/** What the wall clock shows when a simulation begins, Unix milliseconds. */
export const BEGUN_AT = Date.UTC(2026, 0, 1);

/**
 * Time that moves only when nothing else can run: every promise that can go on has gone on before the next timer fires.
 * The wall clock may be set; ticks go on as if nothing had happened.
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

  /** Sets the wall clock by so many milliseconds. */
  stepWall(ms: number): void {
    this.#wallOffset += ms;
  }

  /** Calls `run` in `ms`, unless the function returned is called before. */
  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.#ticks + Math.max(0, ms), order: this.#random(), run };
    this.#push(timer);
    return () => {
      timer.run = undefined;
    };
  }

  /** Fires timers one by one until `isOver`; `idle` when none is left and it is not. */
  runUntil(isOver: () => boolean, untilTicks: number): Promise<"over" | "idle" | "late"> {
    return new Promise((resolve, reject) => {
      // A tick of the process comes when the queue of promises is empty, and is the cheapest thing that does.
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
 * One process on that time. It dies at the step that was chosen for it, a step being anything that it begins or that
 * comes back to it: from then on nothing it waits for ever comes, and nothing it begins has an effect.
 */
export class Life {
  readonly time: VirtualTime;
  readonly #diesAt: number;
  readonly #onDeath: (() => void)[] = [];
  #steps = 0;
  #isAlive = true;

  /** @param diesAt the step that is its last; Infinity: it lives on. */
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

  /** Something begins or comes back. @returns whether the process is still there for it. */
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

/** What a process knows of that time. */
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
