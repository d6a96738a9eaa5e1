import type { Outcome } from "../answers/outcome.ts";

/** The answer, or that it comes later than anybody should wait for, and what is known until then of one in parts. */
export type Polled<T> = Outcome<T> | { readonly ok: "later"; readonly afterMs: number; readonly known?: Outcome<T> };

/**
 * Polls that wait in memory now, and who would rather come back than wait with them: an event whose partition holds so
 * much already that a crash would repeat too much. The poll itself goes on, and keeps its answer for whoever comes back.
 */
export class PollWaits {
  /** By question: milliseconds until it is asked again. */
  readonly #waiting = new Map<string, number>();
  readonly #leavers = new Map<string, Set<(afterMs: number) => void>>();

  /** The poll of a question waits. */
  begin(key: string, afterMs: number): void {
    this.#waiting.set(key, afterMs);
    for (const tell of this.#leavers.get(key) ?? []) tell(afterMs);
  }

  end(key: string): void {
    this.#waiting.delete(key);
  }

  /** The answer of a poll; or that it comes later, as soon as the poll waits while `isCrowded`. @throws as `answer` does. */
  async unlessCrowded<T>(key: string, answer: Promise<Polled<T>>, isCrowded: () => boolean): Promise<Polled<T>> {
    const left = Promise.withResolvers<Polled<T>>();
    const tell = (afterMs: number) => {
      if (isCrowded()) left.resolve({ ok: "later", afterMs });
    };
    const leavers = this.#leavers.get(key) ?? new Set();
    this.#leavers.set(key, leavers.add(tell));
    const afterMs = this.#waiting.get(key);
    if (afterMs !== undefined) tell(afterMs);
    try {
      return await Promise.race([answer, left.promise]);
    } finally {
      leavers.delete(tell);
      if (leavers.size === 0) this.#leavers.delete(key);
    }
  }
}
