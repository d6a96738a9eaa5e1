import { NOT_SENT, type Outcome } from "./outcome.ts";
import { NotReadyError } from "./service-errors.ts";

/** Replaces the answer of a sub-question that is not answered when the deadline passes. */
export const TOO_LATE: Outcome<never> = { ok: false, error: new NotReadyError("no answer in time"), trace: NOT_SENT };

/** Collects the known answers to a question's sub-questions until all are answered. */
export type PartialGathering<T> = Pick<PartialResult<T>, "gather">;

/** The known part of the answer to a question that still waits. */
export class PartialResult<T> {
  #known: () => T | undefined = () => undefined;

  /** Undefined for a question without sub-questions. */
  get known(): T | undefined {
    return this.#known();
  }

  /**
   * Waits for all sub-questions. Until then, `known` merges the answers that have arrived.
   *
   * @param late Replaces each missing answer.
   * @throws the error of the first sub-question that fails.
   */
  async gather<P, U extends T>(
    parts: readonly Promise<P>[],
    unite: (parts: readonly P[]) => U,
    late: (at: number) => P,
  ): Promise<U> {
    const answers = new Map<number, P>();
    const keep = async (part: Promise<P>, at: number) => {
      answers.set(at, await part);
    };
    const united = () => unite(parts.map((_, at) => answers.get(at) ?? late(at)));
    this.#known = united;
    await Promise.all(parts.map(keep));
    return united();
  }
}
