/**
 * Answers after which a failure is forgotten. Chosen: where one request in twenty fails by chance, hardly ever none of so
 * many does.
 */
const LATELY = 64;

/**
 * Tells a service that fails now and then from a request that it fails for: by whether requests failed lately that held
 * nothing of it. Pure: `answers` is how many requests were answered until then.
 */
export class FailedElsewhere<T extends WeakKey> {
  /** How many were answered when it failed, request by request. */
  readonly #recent = new Map<object, number>();
  readonly #failuresOf = new WeakMap<T, object[]>();

  /** A request failed that held these. */
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

  /** Whether a request failed lately that held none of these. */
  isBeside(members: readonly T[], answers: number): boolean {
    this.#forget(answers);
    const own = new Set(members.flatMap((member) => this.#failuresOf.get(member) ?? []));
    return [...this.#recent.keys()].some((failure) => !own.has(failure));
  }

  /** The service fails for this one: whatever held it says nothing of the service. */
  blame(member: T): void {
    for (const failure of this.#failuresOf.get(member) ?? []) this.#recent.delete(failure);
  }

  #forget(answers: number): void {
    for (const [failure, at] of this.#recent) if (answers - at > LATELY) this.#recent.delete(failure);
  }
}
