import type { Outcome } from "../answers/outcome.ts";

/** The answer, or that it comes later than anybody should wait for, and what is known until then of one in parts. */
export type Polled<T> = Outcome<T> | { readonly ok: "later"; readonly afterMs: number; readonly known?: Outcome<T> };

/**
 * Polls that wait in memory, and the events that leave such a poll for a ticket. An event leaves if its partition is
 * crowded, because a crash would then repeat too much work. The poll continues, and its answer serves the returning
 * ticket.
 */
export class PollWaits {
  /** Milliseconds until the next poll, by question. */
  readonly #waiting = new Map<string, number>();
  readonly #leavers = new Map<string, Set<(afterMs: number) => void>>();

  /** The poll of a question begins to wait. */
  begin(key: string, afterMs: number): void {
    this.#waiting.set(key, afterMs);
    for (const tell of this.#leavers.get(key) ?? []) tell(afterMs);
  }

  end(key: string): void {
    this.#waiting.delete(key);
  }

  /**
   * The answer of a poll, or its delay as soon as the poll waits while `isCrowded`.
   *
   * @throws the error of `answer`.
   */
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
