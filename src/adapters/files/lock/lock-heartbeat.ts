import { utimes } from "node:fs/promises";
import type { Clock } from "../../../kernel/clock.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { type ExistingLock, look } from "./lock-file.ts";

/** How a lock is kept alive, and when it is taken for dead. */
export interface LockPace {
  /** Between two times that its holder refreshes it. */
  readonly beatMs: number;
  /** How long its holder writes after a beat without another. */
  readonly leaseMs: number;
  /** Between two times that a contender looks at it. */
  readonly lookMs: number;
  /** Times in a row that it must look the same. They take longer than a lease, by more than a write may take. */
  readonly looks: number;
}

/**
 * Chosen: a container that was killed goes on after half a minute (20 looks, and a lease), and a disk may keep its holder
 * waiting for as long. Beats are further apart than the coarsest times of a file system are, 2 s on FAT.
 */
export const LOCK_PACE: LockPace = { beatMs: 3_000, leaseMs: 10_000, lookMs: 1_000, looks: 20 };

/** Beats in a row that may each take longer than a lease; chosen: a disk that was slow once is not slow three times. */
const MAX_SLOW_BEATS = 3;

/**
 * Watches a lock whose process cannot be looked at. It counts looks, and not time: whoever was stopped or asleep together
 * with the holder has looked once meanwhile, and not for an hour. No two machines' clocks are compared.
 *
 * @returns whether its holder refreshed it, "changed" when the lock is not what was found any more.
 */
export async function isRefreshed(
  file: string,
  found: ExistingLock,
  { clock, pace, signal }: { readonly clock: Clock; readonly pace: LockPace; readonly signal: AbortSignal },
): Promise<boolean | "changed"> {
  for (let looked = 0; looked < pace.looks; looked++) {
    await clock.sleep(pace.lookMs, signal);
    const now = await look(file);
    if (now?.text !== found.text) return "changed";
    if (now.mtimeMs !== found.mtimeMs) return true;
  }
  return false;
}

export interface HeartbeatOptions {
  readonly file: string;
  /** The lock's text, by which it is known to be ours. */
  readonly mine: string;
  readonly clock: Clock;
  readonly pace: LockPace;
  /** Makes the error for a lock that is not ours any more; it is told what is there instead. */
  readonly lost: (text: string | undefined) => Error;
  /** Told once, at the beat that finds it lost. */
  readonly onLost: (error: Error) => void;
}

/**
 * Refreshes the lock that a process holds, and sees at each beat whether it still does: one that was stopped for longer
 * than others watch it has lost it. Whoever writes asks `confirm` first, which costs a look at the clock, and after a gap
 * in the beats a beat. So what a process still writes after it lost its lock is what it had handed to the
 * operating system, or was just about to, when it was stopped.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #stopped = new AbortController();
  /** When the last beat that found the lock ours began, by both clocks: one of them stands still while a machine sleeps. */
  #beaten = { ticks: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };
  #lost: Error | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The first beat, and all later ones until `stop`. @throws when the lock cannot be refreshed, or is another's. */
  async start(): Promise<void> {
    await this.beat();
    void this.#goOn();
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Resolves while the lock is ours. @throws what `lost` made, or why that cannot be seen, or not soon enough. */
  async confirm(): Promise<void> {
    for (let beats = 0; this.#lost === undefined && !this.#isFresh(); beats++) {
      if (beats === MAX_SLOW_BEATS) throw this.#tooSlow();
      await this.beat();
    }
    if (this.#lost !== undefined) throw this.#lost;
  }

  /** Refreshes the lock, then looks whose it is: a contender that looks after us sees the one, and we see the other. */
  async beat(): Promise<void> {
    const { file, mine, clock } = this.#options;
    const began = { ticks: clock.ticks(), now: clock.now() };
    const failure = await utimes(file, began.now / 1000, began.now / 1000).then(() => undefined, toError);
    const found = await look(file);
    if (found?.text !== mine) throw this.#lose(found?.text);
    if (failure !== undefined) throw failure;
    this.#beaten = began;
  }

  /** A beat that fails is told by `confirm`, once the last one is too long ago: until then the next may do. */
  async #goOn(): Promise<void> {
    const { clock, pace } = this.#options;
    const { signal } = this.#stopped;
    while (this.#lost === undefined && !signal.aborted) {
      await clock.sleep(pace.beatMs, signal).catch(() => undefined);
      if (!signal.aborted) await this.beat().catch(() => undefined);
    }
  }

  #isFresh(): boolean {
    const { clock, pace } = this.#options;
    const { ticks, now } = this.#beaten;
    return clock.ticks() - ticks < pace.leaseMs && clock.now() - now < pace.leaseMs;
  }

  #tooSlow(): OutputUnwritableError {
    const { file, pace } = this.#options;
    return new OutputUnwritableError(
      `cannot refresh ${file} in time: ${MAX_SLOW_BEATS} times in a row it took longer than ${pace.leaseMs} ms: choose an --out on a faster disk`,
    );
  }

  #lose(text: string | undefined): Error {
    if (this.#lost === undefined) {
      this.#lost = this.#options.lost(text);
      // A beat that was on its way while the lock was released finds none.
      if (!this.#stopped.signal.aborted) this.#options.onLost(this.#lost);
    }
    return this.#lost;
  }
}
