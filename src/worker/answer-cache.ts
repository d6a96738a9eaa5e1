import type { Lane } from "../events/lane.ts";
import type { Trace } from "./pace/outcome.ts";

interface Kept<V> {
  readonly value: V;
  readonly isRaised: boolean;
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly bytes: number;
}

/** How long an answer is good, milliseconds. Source: design, "Coalescing and cache". */
const MAX_AGE = { clean: 60_000, raised: 3_600_000, backfill: 86_400_000 } as const;
/** About what an entry takes beside its texts, bytes, and what a character of its texts takes. */
const ENTRY_BYTES = 400;
const CHARACTER_BYTES = 2;

/** Answers by the text of their question. Bounded by bytes, the oldest go first. */
export class AnswerCache<V> {
  readonly #kept = new Map<string, Kept<V>>();
  /**
   * Goes on where it stopped: from its start, a map is searched through all that was dropped since it last grew. Given up
   * when an answer is renewed: an iterator that is not moved on keeps every table that the map has outgrown.
   */
  #fromOldest: MapIterator<string> | undefined;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param now Unix milliseconds. */
  find(question: string, lane: Lane, now: number): { readonly value: V; readonly trace: Trace } | undefined {
    const kept = this.#kept.get(question);
    if (kept === undefined) return undefined;
    const maxAge = lane === "backfill" ? MAX_AGE.backfill : kept.isRaised ? MAX_AGE.raised : MAX_AGE.clean;
    const age = now - kept.answeredAt;
    // A clock that was set back must not make an answer good for longer.
    if (age >= maxAge || age < 0) return undefined;
    const { value, askedAt, answeredAt } = kept;
    return { value, trace: { requests: 0, askedAt, answeredAt, cached: true } };
  }

  /** @param isRaised whether the answer is one that nobody needs to see lifted soon: a flag, and not its absence. */
  keep(question: string, value: V, { askedAt, answeredAt }: Trace, isRaised: boolean): void {
    if (askedAt === undefined || answeredAt === undefined) return;
    if (this.#kept.has(question)) {
      this.#fromOldest = undefined;
      this.#drop(question);
    }
    // A service may add fields of any length to its answers.
    const bytes = ENTRY_BYTES + CHARACTER_BYTES * (question.length + JSON.stringify(value).length);
    this.#kept.set(question, { value, isRaised, askedAt, answeredAt, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#kept.size > 0) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#fromOldest ??= this.#kept.keys();
    const { value: oldest, done } = this.#fromOldest.next();
    if (done === true) this.#fromOldest = undefined;
    else this.#drop(oldest);
  }

  #drop(question: string): void {
    this.#bytes -= this.#kept.get(question)?.bytes ?? 0;
    this.#kept.delete(question);
  }
}
