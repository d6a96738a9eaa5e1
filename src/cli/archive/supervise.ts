import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../kernel/retry.ts";

export interface Supervised {
  /** One life: ends once it is told to stop, or fails. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** The reasons to restart a run that has not failed. */
  readonly unwell: () => readonly string[];
  /** Called after the failure number `lives` in a row. The next run begins after `waitMs` milliseconds. */
  readonly onEnded: (error: Error, lives: number, waitMs: number) => void;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
}

const AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 2_000, maxMs: 300_000 };
const LOOK_EVERY_MS = 30_000;
/** A run that lasts this long was well: its next failure counts as the first. */
const WELL_MS = 600_000;
/** A run that does not end within this time after the stop is left behind. */
const END_MS = 10_000;

/** Runs something again and again until `stop`, whatever becomes of it: what it stands beside goes on. Never rejects. */
export async function supervise({ run, unwell, onEnded, stop, clock, random }: Supervised): Promise<void> {
  for (let lives = 1; !stop.aborted; lives++) {
    const begun = clock.ticks();
    const ended = await oneLife(run, unwell, stop, clock);
    if (stop.aborted) return;
    if (clock.ticks() - begun >= WELL_MS) lives = 1;
    // At least a second: an end without an external cause would otherwise repeat at once.
    const waitMs = 1_000 + Math.floor(backoffMs(AGAIN, lives, random));
    onEnded(ended, lives, waitMs);
    await clock.sleep(waitMs, stop).catch(() => undefined);
  }
}

/** @returns the reason of its end. */
async function oneLife(
  run: Supervised["run"],
  unwell: Supervised["unwell"],
  stop: AbortSignal,
  clock: Clock,
): Promise<Error> {
  const ending = new AbortController();
  const life = Promise.resolve()
    .then(() => run(AbortSignal.any([stop, ending.signal])))
    .then(() => new Error("the archive ended by itself"), toError);
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, ending.signal).catch(() => undefined);
      const [reason] = ending.signal.aborted ? [] : unwell();
      if (reason !== undefined) return new Error(reason);
    }
    return new Error("the archive was stopped");
  })();
  try {
    const ended = await Promise.race([life, looking]);
    ending.abort();
    const late = new AbortController();
    await Promise.race([life, clock.sleep(END_MS, late.signal).catch(() => undefined)]);
    late.abort();
    return ended;
  } finally {
    ending.abort();
  }
}
