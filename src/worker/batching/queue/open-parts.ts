import type { Clock } from "../../../kernel/clock.ts";
import { RecentTexts } from "../../../kernel/recent-texts.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { AnswerCache, type CacheAges, type CachedQuestion } from "../../answers/answer-cache.ts";
import type { Outcome, OutcomeListener } from "../../answers/outcome.ts";
import { eventLane, type Requester, requestLaneOf } from "../../rate-limit/queue/waiter.ts";
import { type BatchEntry, textOf } from "../batch-entry.ts";
import { ByPart } from "../replies/by-part.ts";
import { isFlagged } from "../replies/read-answer.ts";
import { join, type Waiting, waitingFor } from "./waiting.ts";

/** Refused parts that are remembered. */
const MAX_REFUSED = 10_000;

/** What is known of a part. */
type KnownPart = CachedQuestion<BatchEntry, PoisoningEvidence, Waiting>;

/** Parts that were asked about and have no answer yet, each once whoever asks, and what others were answered lately. */
export class OpenParts {
  readonly #cache: AnswerCache<BatchEntry, PoisoningEvidence, Waiting>;
  /** Parts that were refused in company and have no answer yet: the same bytes must not travel again, whoever asks. */
  readonly #refused = new RecentTexts(MAX_REFUSED);
  /** Of whoever asked last. */
  #tenants: readonly string[] = [];

  /** @param cacheBytes of answers that are remembered, at most. */
  constructor(cacheBytes: number, cacheAges: CacheAges, clock: Pick<Clock, "now" | "ticks">) {
    this.#cache = new AnswerCache(cacheBytes, cacheAges, clock, new ByPart<KnownPart>());
  }

  find(part: BatchEntry): KnownPart | undefined {
    return this.#cache.get(part);
  }

  /** What was found out lately. */
  answered(known: KnownPart, claim: Requester): Outcome<PoisoningEvidence> | undefined {
    const found = this.#cache.goodOf(known, claim.lane);
    return found === undefined ? undefined : { ok: true, ...found };
  }

  /** Waits with whoever asks the same at the moment. @returns what waits; undefined when nobody asks. */
  join({ asking }: KnownPart, claim: Requester, told: OutcomeListener<PoisoningEvidence>): Waiting | undefined {
    if (asking === undefined) return undefined;
    asking.others ??= new Set();
    asking.others.add(told);
    join(asking, claim);
    return asking;
  }

  /** A part that nobody asks about. */
  open(
    part: BatchEntry,
    known: KnownPart | undefined,
    claim: Requester,
    told: OutcomeListener<PoisoningEvidence>,
  ): Waiting {
    const waiting = waitingFor(
      part,
      { lane: eventLane(requestLaneOf(claim)), tenants: this.#listOf(claim.tenant) },
      told,
    );
    const opened = known ?? this.#cache.open(part);
    opened.asking = waiting;
    waiting.known = opened;
    return waiting;
  }

  /** Nearly all that ask in a row are of one tenant, and share its list. */
  #listOf(tenant: string): readonly string[] {
    if (this.#tenants[0] !== tenant) this.#tenants = [tenant];
    return this.#tenants;
  }

  settle(waiting: Waiting, outcome: Outcome<PoisoningEvidence>): void {
    const { part, known, first, others } = waiting;
    if (known === undefined) return;
    letGo(waiting);
    if (outcome.ok) {
      if (!this.#refused.isEmpty) this.#refused.delete(textOf(part));
      this.#cache.answer(known, outcome.value, outcome.trace, isFlagged(outcome.value));
    }
    this.#cache.close(known);
    first?.answered(outcome);
    if (others !== undefined) for (const other of others) other.answered(outcome);
  }

  /** For what is no answer of any kind: a bug, an abort, the end of the run. What has its answer already keeps it. */
  abandon(waiting: Waiting, reason: unknown): void {
    const { known, first, others } = waiting;
    if (known === undefined) return;
    letGo(waiting);
    this.#cache.close(known);
    first?.failed(reason);
    if (others !== undefined) for (const other of others) other.failed(reason);
  }

  /** Nobody waits for it any more: there is nobody to be told. */
  forget(waiting: Waiting): void {
    const { known } = waiting;
    letGo(waiting);
    if (known !== undefined) this.#cache.close(known);
  }

  /** What others were answered is believed no longer: whoever asks from now on has it asked anew. */
  forgetAnswers(): void {
    this.#cache.forgetAnswers();
  }

  refuse({ part }: Waiting): void {
    this.#refused.add(textOf(part));
  }

  wasRefused({ part }: Waiting): boolean {
    return !this.#refused.isEmpty && this.#refused.has(textOf(part));
  }
}

/**
 * What was in flight for long is collected late: what it holds would be kept until then, with all that is made of its answer.
 */
function letGo(waiting: Waiting): void {
  waiting.known = undefined;
  waiting.first = undefined;
}
