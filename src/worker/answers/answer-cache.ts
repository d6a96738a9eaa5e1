import type { Clock } from "../../kernel/clock.ts";
import type { Lane } from "../../messages/lane.ts";
import type { RequestTrace } from "./outcome.ts";
import { answerBytes } from "./retained-bytes.ts";

/** The state of one question: its last answer while that is cached, and the question in flight. */
export interface CachedQuestion<Q, V, A = never> {
  readonly question: Q;
  asking: A | undefined;
  value: V | undefined;
  /** Trace of the answer. All questions of one request share it. */
  trace: RequestTrace | undefined;
  isRaised: boolean;
  /** When the answer was cached, milliseconds of the monotonic clock. */
  keptAt: number;
  /** Size of the answer in the cache, bytes. 0 while no answer is cached. */
  bytes: number;
  /** The entries that were cached just before and just after this one. */
  older: CachedQuestion<Q, V, A> | undefined;
  newer: CachedQuestion<Q, V, A> | undefined;
}

/** One value per question. */
export interface ByQuestion<Q, K> {
  get(question: Q): K | undefined;
  set(question: Q, known: K): void;
  delete(question: Q): void;
  /** Total length of a question's texts, characters. */
  lengthOf(question: Q): number;
}

class ByText<K> extends Map<string, K> {
  lengthOf(question: string): number {
    return question.length;
  }
}

/** How long an answer to one event is used for other events, milliseconds. 0: not at all. */
export interface CacheAges {
  /** For a realtime event and an answer without a flag. An address that is flagged meanwhile passes for this long. */
  readonly clean: number;
  /** For a realtime event and an answer with a flag. */
  readonly raised: number;
  /** For a backfill event, with or without a flag. */
  readonly backfill: number;
}

/** The default cache ages. Source: docs/decisions/0005-pooling.md. */
export const defaultAges: CacheAges = { clean: 60_000, raised: 3_600_000, backfill: 86_400_000 };
/** Approximate size of a cache entry without question and answer, and of each character of the question, bytes. */
const ENTRY_BYTES = 400;
const CHARACTER_BYTES = 2;

/** A cache for questions that are one text each. */
export function textCache<V, A = never>(
  maxBytes: number,
  ages: CacheAges,
  clock: Pick<Clock, "now" | "ticks">,
): AnswerCache<string, V, A> {
  return new AnswerCache(maxBytes, ages, clock, new ByText<CachedQuestion<string, V, A>>());
}

/**
 * Answers by question. The size is bounded in bytes, and the oldest answers are dropped first. A cache entry may also
 * hold the question in flight, because a look-up costs more than any other step.
 */
export class AnswerCache<Q, V, A = never> {
  readonly #known: ByQuestion<Q, CachedQuestion<Q, V, A>>;
  readonly #maxBytes: number;
  readonly #ages: CacheAges;
  readonly #clock: Pick<Clock, "now" | "ticks">;
  #oldest: CachedQuestion<Q, V, A> | undefined;
  #newest: CachedQuestion<Q, V, A> | undefined;
  #bytes = 0;

  /** @param known An empty index of the cache entries. */
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

  /** The cached answer, if it is recent enough for a lane. An answer from the future is dropped. */
  goodOf(known: CachedQuestion<Q, V, A>, lane: Lane): { readonly value: V; readonly trace: RequestTrace } | undefined {
    const { value, trace, isRaised, keptAt } = known;
    const { askedAt, answeredAt } = trace ?? {};
    if (value === undefined || askedAt === undefined || answeredAt === undefined) return undefined;
    const { clean, raised, backfill } = this.#ages;
    const maxAge = lane === "backfill" ? backfill : isRaised ? raised : clean;
    const age = this.#clock.now() - answeredAt;
    // A wrong clock recorded the answer, so its age stays wrong.
    if (age < 0) this.#drop(known);
    // Both clocks count. The wall clock may be set back, and ticks stand still while the machine is suspended.
    if (age < 0 || age >= maxAge || this.#clock.ticks() - keptAt >= maxAge) return undefined;
    return { value, trace: { requests: 0, askedAt, answeredAt, cached: true } };
  }

  get(question: Q): CachedQuestion<Q, V, A> | undefined {
    return this.#known.get(question);
  }

  /** Adds an entry for an unknown question. `close` removes it unless it has an answer by then. */
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

  /** Ends the question in flight. */
  close(known: CachedQuestion<Q, V, A>): void {
    known.asking = undefined;
    if (known.bytes === 0) this.#known.delete(known.question);
  }

  /** @param isRaised Whether the answer holds a flag. A flag may be cached longer than its absence. */
  keep(question: Q, value: V, trace: RequestTrace, isRaised: boolean): void {
    const known = this.#known.get(question) ?? this.open(question);
    this.answer(known, value, trace, isRaised);
    this.close(known);
  }

  /** Caches the answer to a question that is already open. */
  answer(known: CachedQuestion<Q, V, A>, value: V, trace: RequestTrace, isRaised: boolean): void {
    if (trace.askedAt === undefined || trace.answeredAt === undefined) return;
    if (known.bytes > 0) this.#drop(known);
    known.value = value;
    known.trace = trace;
    known.isRaised = isRaised;
    known.keptAt = this.#clock.ticks();
    // A service may add any number of fields of any length to its answers.
    known.bytes = ENTRY_BYTES + CHARACTER_BYTES * this.#known.lengthOf(known.question) + answerBytes(value);
    known.older = this.#newest;
    if (this.#newest === undefined) this.#oldest = known;
    else this.#newest.newer = known;
    this.#newest = known;
    this.#bytes += known.bytes;
    while (this.#bytes > this.#maxBytes && this.#oldest !== undefined) this.#forget(this.#oldest);
  }

  /** Drops all answers, because they are not trusted any more. Questions in flight continue. */
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
