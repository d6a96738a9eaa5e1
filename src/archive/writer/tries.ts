import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../kernel/retry.ts";
import { type ArchiveObserver, type ArchiveStep, archiveSteps } from "./archive-observer.ts";

export interface TriesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly observer: ArchiveObserver;
}

const AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 30_000 };

/** The names of the steps in log messages. */
const names: Readonly<Record<Exclude<ArchiveStep, "commit">, string>> = {
  offsets: "its group's offsets",
  objects: "the objects",
  store: "the store",
};

/** Retries the external steps of an archive until they succeed, and knows which steps fail at present. */
export class Tries {
  readonly #deps: TriesDeps;
  /** The failing steps, by the caller that retries them. */
  readonly #failing = new Map<object, ArchiveStep>();
  #endedAt: number;

  constructor(deps: TriesDeps) {
    this.#deps = deps;
    this.#endedAt = deps.clock.ticks();
  }

  /** The steps that failed at their last attempt. */
  get failing(): readonly ArchiveStep[] {
    const found = new Set(this.#failing.values());
    return archiveSteps.filter((step) => found.has(step));
  }

  /** The end of the last attempt, successful or not, ticks of the clock. */
  get endedAt(): number {
    return this.#endedAt;
  }

  /**
   * Retries without a limit until the step succeeds.
   *
   * @returns undefined once `generation` is over. @throws errors that a retry cannot fix.
   */
  async until<T>(
    step: Exclude<ArchiveStep, "commit">,
    generation: AbortSignal,
    ask: () => Promise<T>,
  ): Promise<T | undefined> {
    const { clock, random, log, observer } = this.#deps;
    const who = {};
    try {
      for (let attempt = 1; !generation.aborted; attempt++) {
        try {
          return await ask().finally(() => {
            this.#endedAt = clock.ticks();
          });
        } catch (thrown) {
          if (generation.aborted) return undefined;
          if (thrown instanceof AppError && !thrown.retryable) throw thrown;
          observer.failed(step);
          this.#failing.set(who, step);
          log.warn(`the archive waits for ${names[step]}`, { attempt, reason: toError(thrown).message });
          await clock.sleep(backoffMs(AGAIN, attempt, random), generation).catch(() => undefined);
        }
      }
      return undefined;
    } finally {
      this.#failing.delete(who);
    }
  }
}
