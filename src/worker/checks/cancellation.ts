/** The end of one event's waiting: each question that it put learns of it. */
export class Cancellation {
  #steps: (() => void)[] = [];
  #hasLeft = false;

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * @param step what becomes of one question; at once where the event has left: the receivers of a simulation are asked about
   * after it. May not throw: other questions learn of the end as well.
   */
  onLeave(step: () => void): void {
    if (this.#hasLeft) step();
    else this.#steps.push(step);
  }

  /** The event waits no longer. Once. */
  leave(): void {
    this.#hasLeft = true;
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) step();
  }
}
