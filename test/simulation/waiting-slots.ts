/** Permits that come when the test says so. */
export class WaitingSlots {
  readonly #waiting: (() => void)[] = [];

  run<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => void job().then(resolve, reject));
    });
  }

  pace(): void {}

  next(): boolean {
    const next = this.#waiting.shift();
    next?.();
    return next !== undefined;
  }
}
