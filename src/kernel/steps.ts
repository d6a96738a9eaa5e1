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
