/** The end of one event's waiting: each question that it put learns of it. */
export class Leaving {
  #steps: (() => void)[] = [];

  /** @param step what becomes of one question. May not throw: other questions learn of the end as well. */
  onLeave(step: () => void): void {
    this.#steps.push(step);
  }

  /** The event waits no longer. Once. */
  leave(): void {
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) step();
  }
}
