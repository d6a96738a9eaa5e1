import type { Lane } from "../events/lane.ts";
import type { Trace } from "./pace/outcome.ts";

interface Kept<V> {
  readonly question: string;
  readonly value: V;
  /** That of its answer, which whoever shared the request has, too. */
  readonly trace: Trace;
  readonly isRaised: boolean;
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
  #fromOldest: MapIterator<Kept<V>> | undefined;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param now Unix milliseconds. */
  find(question: string, lane: Lane, now: number): { readonly value: V; readonly trace: Trace } | undefined {
    const kept = this.#kept.get(question);
    if (kept === undefined) return undefined;
    const { value, trace, isRaised } = kept;
    const { askedAt, answeredAt } = trace;
    if (askedAt === undefined || answeredAt === undefined) return undefined;
    const maxAge = lane === "backfill" ? MAX_AGE.backfill : isRaised ? MAX_AGE.raised : MAX_AGE.clean;
    const age = now - answeredAt;
    // A clock that was set back must not make an answer good for longer.
    if (age >= maxAge || age < 0) return undefined;
    return { value, trace: { requests: 0, askedAt, answeredAt, cached: true } };
  }

  /** @param isRaised whether the answer is one that nobody needs to see lifted soon: a flag, and not its absence. */
  keep(question: string, value: V, trace: Trace, isRaised: boolean): void {
    if (trace.askedAt === undefined || trace.answeredAt === undefined) return;
    const known = this.#kept.get(question);
    if (known !== undefined) {
      this.#fromOldest = undefined;
      this.#drop(known);
    }
    // A service may add fields of any length to its answers.
    const bytes = ENTRY_BYTES + CHARACTER_BYTES * (question.length + charactersOf(value));
    this.#kept.set(question, { question, value, trace, isRaised, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#kept.size > 0) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#fromOldest ??= this.#kept.values();
    const { value: oldest, done } = this.#fromOldest.next();
    if (done === true) this.#fromOldest = undefined;
    else this.#drop(oldest);
  }

  #drop({ question, bytes }: Kept<V>): void {
    this.#bytes -= bytes;
    this.#kept.delete(question);
  }
}

/** The length of `value`, which came from JSON, as JSON, counting what is escaped there as the one character that it takes here. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return String(value).length;
  // A comma behind each member but the last, and two brackets.
  let characters = 1;
  for (const name in value) {
    const own = Reflect.get(value, name);
    if (own === undefined) continue;
    characters += charactersOf(own) + (Array.isArray(value) ? 1 : name.length + 4);
  }
  return Math.max(2, characters);
}
