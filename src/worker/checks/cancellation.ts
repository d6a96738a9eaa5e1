/** Tells each question of an event that the event no longer waits. */
export class Cancellation {
  #steps: (() => void)[] = [];
  #hasLeft = false;

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * @param step Ends one question. It runs at once if the event has already left: questions about the receivers of a
   * simulation start after it. It must not throw, because other questions follow.
   */
  onLeave(step: () => void): void {
    if (this.#hasLeft) step();
    else this.#steps.push(step);
  }

  /** The event no longer waits. Called once. */
  leave(): void {
    this.#hasLeft = true;
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) step();
  }
}
