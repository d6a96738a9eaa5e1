import { utimes } from "node:fs/promises";
import type { Clock } from "../../../kernel/clock.ts";
import { OutputUnwritableError, toError } from "../../../kernel/errors.ts";
import { type ExistingLock, look } from "./lock-file.ts";

/** The times for the heartbeat of a lock, and for the decision that its holder is gone. */
export interface LockPace {
  /** Time between two refreshes by the holder. */
  readonly beatMs: number;
  /** Time after a heartbeat during which the holder may write without another heartbeat. */
  readonly leaseMs: number;
  /** Time between two looks of a contender. */
  readonly lookMs: number;
  /**
   * Looks in a row at which the lock must be unchanged. Together they take longer than a lease, by more time than a
   * write takes.
   */
  readonly looks: number;
}

/**
 * Chosen: after a killed container, the next run goes on within half a minute (20 looks, and a lease). A disk may delay
 * the holder for as long. Heartbeats are further apart than the coarsest timestamps of a file system, 2 s on FAT.
 */
export const LOCK_PACE: LockPace = { beatMs: 3_000, leaseMs: 10_000, lookMs: 1_000, looks: 20 };

/**
 * Heartbeats in a row that may each take longer than a lease. Chosen: a disk that was slow once is not slow three
 * times.
 */
const MAX_SLOW_BEATS = 3;

/**
 * Watches a lock with a holder on another host. It counts looks, and not time: a contender that sleeps together with
 * the holder for an hour has looked only once. The clocks of two machines are never compared.
 *
 * @returns whether the holder refreshed the lock; "changed" when the lock is not the found one any more.
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
  /** The text of the lock of this process, which identifies the lock. */
  readonly mine: string;
  readonly clock: Clock;
  readonly pace: LockPace;
  /** Makes the error for a lost lock. `text` is the text of the lock that is there instead. */
  readonly lost: (text: string | undefined) => Error;
  /** Called once, at the heartbeat that finds the lock lost. */
  readonly onLost: (error: Error) => void;
}

/**
 * Refreshes the lock of this process, and checks the owner of the lock at each heartbeat. A process that stands still
 * for longer than contenders watch has lost its lock. Every writer calls `confirm` first. `confirm` reads the clock,
 * and makes a heartbeat after a gap in the heartbeats. After a loss, the process only completes writes that it had
 * handed to the operating system, or was about to.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #stopped = new AbortController();
  /**
   * Start of the last heartbeat that found the lock unchanged, by both clocks: one clock stands still while a machine
   * sleeps.
   */
  #beaten = { ticks: Number.NEGATIVE_INFINITY, now: Number.NEGATIVE_INFINITY };
  #lost: Error | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /**
   * Makes the first heartbeat, and all later ones until `stop`. @throws when the lock cannot be refreshed, or is
   * another process's.
   */
  async start(): Promise<void> {
    await this.beat();
    void this.#goOn();
  }

  stop(): void {
    this.#stopped.abort();
  }

  /**
   * Resolves while this process holds the lock. @throws the error of `lost`, or the reason why the lock cannot be
   * checked, or not soon enough.
   */
  async confirm(): Promise<void> {
    for (let beats = 0; this.#lost === undefined && !this.#isFresh(); beats++) {
      if (beats === MAX_SLOW_BEATS) throw this.#tooSlow();
      await this.beat();
    }
    if (this.#lost !== undefined) throw this.#lost;
  }

  /**
   * Refreshes the lock, then reads its owner. A contender that looks later sees the refresh; a contender that replaced
   * the lock earlier is seen here.
   */
  async beat(): Promise<void> {
    const { file, mine, clock } = this.#options;
    const began = { ticks: clock.ticks(), now: clock.now() };
    const failure = await utimes(file, began.now / 1000, began.now / 1000).then(() => undefined, toError);
    const found = await look(file);
    if (found?.text !== mine) throw this.#lose(found?.text);
    if (failure !== undefined) throw failure;
    this.#beaten = began;
  }

  /**
   * `confirm` reports a failed heartbeat once the last good one is too old. Until then the next heartbeat may succeed.
   */
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
      // A heartbeat that runs while the lock is released finds no lock.
      if (!this.#stopped.signal.aborted) this.#options.onLost(this.#lost);
    }
    return this.#lost;
  }
}
