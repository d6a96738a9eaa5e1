/**
 * Resolves with the value of `promise`. The promise continues for other users, and no listener stays on the signal.
 * @throws `signal.reason` as soon as the signal aborts.
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Resolves with the value of `promise` within `ms` milliseconds. @throws an Error saying that `what` did not happen in
 * time.
 */
export async function withTimeout<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs all promises that `begin` starts until each has ended. All of them get the signal `stop`. When one fails, `stop`
 * is aborted for the others.
 *
 * @throws the failure of the first failed promise in list order, once all have ended.
 */
export async function runAll(stop: AbortSignal, begin: (stop: AbortSignal) => readonly Promise<void>[]): Promise<void> {
  const failed = new AbortController();
  const runs = begin(AbortSignal.any([stop, failed.signal]));
  for (const run of runs) run.catch(() => failed.abort());
  const ended = await Promise.allSettled(runs);
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}

/** The longest delay of a Node timer, milliseconds. A longer delay ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Splits a wait into delays that timers support, milliseconds. Nearly always there is one. */
export function* timerIntervals(ms: number): Generator<number, void> {
  let left = ms;
  do {
    const piece = Math.min(left, MAX_TIMER_MS);
    yield piece;
    left -= piece;
  } while (left > 0);
}

/** Long synchronous work in steps. The caller may let other work run at each `yield`. */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps, with a `pause` after each. */
export async function withPauses<T>(steps: Steps<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Items per step: a few milliseconds of hashing or grouping. */
export const ITEMS_A_STEP = 10_000;

/** Passes each item and its index to `work`, in order. */
export function* eachInSteps<T>(items: Iterable<T>, work: (item: T, at: number) => void): Steps<void> {
  let at = 0;
  for (const item of items) {
    work(item, at++);
    if (at % ITEMS_A_STEP === 0) yield;
  }
}
