/** Long synchronous work cut into steps: whoever runs it may let others have a turn at each `yield`. */
export type Steps<T> = Generator<undefined, T>;

/** Does all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does all of it, with a `pause` after each step. */
export async function withPauses<T>(steps: Steps<T>, pause: () => Promise<unknown>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/** Items after which others may have a turn: a few milliseconds of hashing or grouping. */
export const ITEMS_A_STEP = 10_000;

/** Gives each item and its place to `work`, in order. */
export function* eachInSteps<T>(items: Iterable<T>, work: (item: T, at: number) => void): Steps<void> {
  let at = 0;
  for (const item of items) {
    work(item, at++);
    if (at % ITEMS_A_STEP === 0) yield;
  }
}
