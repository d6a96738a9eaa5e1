/**
 * A failure is forgotten after this many answers. Chosen: where one request in twenty fails by chance, 64 requests
 * hardly ever pass without a failure.
 */
const LATELY = 64;

/**
 * Tells a service that fails at random from a service that fails for certain items. It compares whether requests
 * without those items failed lately as well. Pure: `answers` is the number of requests that were answered so far.
 */
export class RecentFailures<T extends WeakKey> {
  /** For each failed request, the number of answers at the time of the failure. */
  readonly #recent = new Map<object, number>();
  readonly #failuresOf = new WeakMap<T, object[]>();

  /** Records a failed request that held these items. */
  add(members: readonly T[], answers: number): void {
    this.#forget(answers);
    const failure = {};
    this.#recent.set(failure, answers);
    for (const member of members) {
      const failures = this.#failuresOf.get(member);
      if (failures === undefined) this.#failuresOf.set(member, [failure]);
      else failures.push(failure);
    }
  }

  /** Whether a request without any of these items failed lately. */
  isBeside(members: readonly T[], answers: number): boolean {
    this.#forget(answers);
    const own = new Set(members.flatMap((member) => this.#failuresOf.get(member) ?? []));
    return [...this.#recent.keys()].some((failure) => !own.has(failure));
  }

  /** The service fails for this item, so the requests that held it say nothing about the service. */
  blame(member: T): void {
    for (const failure of this.#failuresOf.get(member) ?? []) this.#recent.delete(failure);
  }

  #forget(answers: number): void {
    for (const [failure, at] of this.#recent) if (answers - at > LATELY) this.#recent.delete(failure);
  }
}
