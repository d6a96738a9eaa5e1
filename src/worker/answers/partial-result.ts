import { NOT_SENT, type Outcome } from "./outcome.ts";
import { NotReadyError } from "./service-errors.ts";

/** Stands for a part that has no answer when nobody can wait any longer. */
export const LATE: Outcome<never> = { ok: false, error: new NotReadyError("no answer in time"), trace: NOT_SENT };

/** Where whoever asks a question in parts tells what is known of it until all of them are answered. */
export type Gathering<T> = Pick<PartialResult<T>, "gather">;

/** What is known of a question that waits for its answer. */
export class PartialResult<T> {
  #known: () => T | undefined = () => undefined;

  /** Undefined of a question in one part. */
  get known(): T | undefined {
    return this.#known();
  }

  /**
   * Waits for all parts of a question; until then `known` is what those say together that are answered.
   *
   * @param late stands for each part that is not. @throws what the first part throws that fails.
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
