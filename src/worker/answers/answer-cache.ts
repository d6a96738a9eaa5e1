import type { Clock } from "../../kernel/clock.ts";
import type { Lane } from "../../messages/lane.ts";
import type { RequestTrace } from "./outcome.ts";
import { answerBytes } from "./retained-bytes.ts";

/** What is known of one question: what it was answered last, while that is remembered, and who asks it at the moment. */
export interface CachedQuestion<Q, V, A = never> {
  readonly question: Q;
  asking: A | undefined;
  value: V | undefined;
  /** That of its answer, which whoever shared the request has, too. */
  trace: RequestTrace | undefined;
  isRaised: boolean;
  /** When it was kept, on the monotonic clock. */
  keptAt: number;
  /** What it takes; 0 while no answer is remembered. */
  bytes: number;
  /** Remembered just before it, and just after. */
  older: CachedQuestion<Q, V, A> | undefined;
  newer: CachedQuestion<Q, V, A> | undefined;
}

/** Something for each question. */
export interface ByQuestion<Q, K> {
  get(question: Q): K | undefined;
  set(question: Q, known: K): void;
  delete(question: Q): void;
  /** Characters of the texts that a question is made of. */
  lengthOf(question: Q): number;
}

class ByText<K> extends Map<string, K> {
  lengthOf(question: string): number {
    return question.length;
  }
}

/** How long an answer to one event is good for others, milliseconds; 0: not at all. */
export interface CacheAges {
  /** For a realtime event, where nothing is noted as raised: whoever is flagged in the meantime is let through for as long. */
  readonly clean: number;
  /** For a realtime event, where something is. */
  readonly raised: number;
  /** For a backfill event, whatever it says. */
  readonly backfill: number;
}

/** Source: docs/decisions/0005-pooling.md. */
export const defaultAges: CacheAges = { clean: 60_000, raised: 3_600_000, backfill: 86_400_000 };
/** About what an entry takes beside its question and its answer, bytes, and what a character of its question takes. */
const ENTRY_BYTES = 400;
const CHARACTER_BYTES = 2;

/** Answers to questions that are written as one text each. */
export function textCache<V, A = never>(
  maxBytes: number,
  ages: CacheAges,
  clock: Pick<Clock, "now" | "ticks">,
): AnswerCache<string, V, A> {
  return new AnswerCache(maxBytes, ages, clock, new ByText<CachedQuestion<string, V, A>>());
}

/**
 * Answers by their question. Bounded by bytes, the oldest go first. Who asks a question may be noted with what is known of
 * it: to look up a question takes longer than anything else that is done with it.
 */
export class AnswerCache<Q, V, A = never> {
  readonly #known: ByQuestion<Q, CachedQuestion<Q, V, A>>;
  readonly #maxBytes: number;
  readonly #ages: CacheAges;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  #oldest: CachedQuestion<Q, V, A> | undefined;
  #newest: CachedQuestion<Q, V, A> | undefined;
  #bytes = 0;

  /** @param known where what is known is found; empty. */
  constructor(
    maxBytes: number,
    ages: CacheAges,
    clock: Pick<Clock, "now" | "ticks">,
    known: ByQuestion<Q, CachedQuestion<Q, V, A>>,
  ) {
    this.#known = known;
    this.#maxBytes = maxBytes;
    this.#ages = ages;
    this.#clock = clock;
  }

  find(question: Q, lane: Lane): { readonly value: V; readonly trace: RequestTrace } | undefined {
    const known = this.#known.get(question);
    if (known === undefined) return undefined;
    const found = this.goodOf(known, lane);
    if (known.bytes === 0 && known.asking === undefined) this.#known.delete(question);
    return found;
  }

  /** The answer that is known and still good for a lane. One that seems to come from the future is forgotten. */
  goodOf(known: CachedQuestion<Q, V, A>, lane: Lane): { readonly value: V; readonly trace: RequestTrace } | undefined {
    const { value, trace, isRaised, keptAt } = known;
    const { askedAt, answeredAt } = trace ?? {};
    if (value === undefined || askedAt === undefined || answeredAt === undefined) return undefined;
    const { clean, raised, backfill } = this.#ages;
    const maxAge = lane === "backfill" ? backfill : isRaised ? raised : clean;
    const age = this.#clock.now() - answeredAt;
    // A clock that was wrong noted it: what that makes of its age later is as wrong.
    if (age < 0) this.#drop(known);
    // By either clock: the wall clock may be set back by less, and ticks stand still while the machine is suspended.
    if (age < 0 || age >= maxAge || this.#clock.ticks() - keptAt >= maxAge) return undefined;
    return { value, trace: { requests: 0, askedAt, answeredAt, cached: true } };
  }

  get(question: Q): CachedQuestion<Q, V, A> | undefined {
    return this.#known.get(question);
  }

  /** Notes a question of which nothing is known; `close` forgets it, unless it has an answer by then. */
  open(question: Q): CachedQuestion<Q, V, A> {
    const known: CachedQuestion<Q, V, A> = {
      question,
      asking: undefined,
      value: undefined,
      trace: undefined,
      isRaised: false,
      keptAt: 0,
      bytes: 0,
      older: undefined,
      newer: undefined,
    };
    this.#known.set(question, known);
    return known;
  }

  /** Nobody asks it any more. */
  close(known: CachedQuestion<Q, V, A>): void {
    known.asking = undefined;
    if (known.bytes === 0) this.#known.delete(known.question);
  }

  /** @param isRaised whether the answer is one that nobody needs to see lifted soon: a flag, and not its absence. */
  keep(question: Q, value: V, trace: RequestTrace, isRaised: boolean): void {
    const known = this.#known.get(question) ?? this.open(question);
    this.answer(known, value, trace, isRaised);
    this.close(known);
  }

  /** The same of what is open. */
  answer(known: CachedQuestion<Q, V, A>, value: V, trace: RequestTrace, isRaised: boolean): void {
    if (trace.askedAt === undefined || trace.answeredAt === undefined) return;
    if (known.bytes > 0) this.#drop(known);
    known.value = value;
    known.trace = trace;
    known.isRaised = isRaised;
    known.keptAt = this.#clock.ticks();
    // A service may add fields to its answers, of any length and any number.
    known.bytes = ENTRY_BYTES + CHARACTER_BYTES * this.#known.lengthOf(known.question) + answerBytes(value);
    known.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = known;
    else this.#newest.newer = known;
    this.#newest = known;
    this.#bytes += known.bytes;
    while (this.#bytes > this.#maxBytes && this.#oldest !== undefined) this.#forget(this.#oldest);
  }

  /** For answers that are believed no longer. Who asks a question goes on asking it. */
  forgetAnswers(): void {
    while (this.#oldest !== undefined) this.#forget(this.#oldest);
  }

  #forget(known: CachedQuestion<Q, V, A>): void {
    this.#drop(known);
    if (known.asking === undefined) this.#known.delete(known.question);
  }

  #drop(known: CachedQuestion<Q, V, A>): void {
    const { older, newer } = known;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    this.#bytes -= known.bytes;
    known.value = undefined;
    known.trace = undefined;
    known.bytes = 0;
    known.older = undefined;
    known.newer = undefined;
  }
}
