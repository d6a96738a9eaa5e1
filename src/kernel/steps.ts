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
