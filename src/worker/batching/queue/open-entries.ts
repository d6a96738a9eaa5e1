import type { Clock } from "../../../kernel/clock.ts";
import { RecentTexts } from "../../../kernel/collections.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { AnswerCache, type CacheAges, type CachedQuestion } from "../../answers/answer-cache.ts";
import type { Outcome, OutcomeListener } from "../../answers/outcome.ts";
import { eventLane, type Requester, requestLaneOf } from "../../rate-limit/queue/waiter.ts";
import { type BatchEntry, textOf } from "../batch-entry.ts";
import { ByPart } from "../replies/by-part.ts";
import { isFlagged } from "../replies/read-answer.ts";
import { join, type QueuedEntry, waitingFor } from "./entry-queue.ts";

/** Limit of refused entries that are remembered. */
const MAX_REFUSED = 10_000;

/** The cached state of a batch entry. */
type KnownPart = CachedQuestion<BatchEntry, PoisoningEvidence, QueuedEntry>;

/** Batch entries that wait for an answer, each once for all events with the question, and recent answers to entries. */
export class OpenEntries {
  readonly #cache: AnswerCache<BatchEntry, PoisoningEvidence, QueuedEntry>;
  /**
   * Entries that were refused in a batch and have no answer yet. The same bytes must not be sent again for any event.
   */
  readonly #refused = new RecentTexts(MAX_REFUSED);
  /** Tenants of the last question. */
  #tenants: readonly string[] = [];

  /** @param cacheBytes Limit of the cached answers, bytes. */
  constructor(cacheBytes: number, cacheAges: CacheAges, clock: Pick<Clock, "now" | "ticks">) {
    this.#cache = new AnswerCache(cacheBytes, cacheAges, clock, new ByPart<KnownPart>());
  }

  find(part: BatchEntry): KnownPart | undefined {
    return this.#cache.get(part);
  }

  /** The cached answer, if it is recent enough. */
  answered(known: KnownPart, claim: Requester): Outcome<PoisoningEvidence> | undefined {
    const found = this.#cache.goodOf(known, claim.lane);
    return found === undefined ? undefined : { ok: true, ...found };
  }

  /**
   * Joins an entry that already waits for its answer.
   *
   * @returns the waiting entry, or undefined when no such entry waits.
   */
  join({ asking }: KnownPart, claim: Requester, told: OutcomeListener<PoisoningEvidence>): QueuedEntry | undefined {
    if (asking === undefined) return undefined;
    asking.others ??= new Set();
    asking.others.add(told);
    join(asking, claim);
    return asking;
  }

  /** Opens an entry that no other event asks about. */
  open(
    part: BatchEntry,
    known: KnownPart | undefined,
    claim: Requester,
    told: OutcomeListener<PoisoningEvidence>,
  ): QueuedEntry {
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

  /** Most consecutive questions come from one tenant, and share its list. */
  #listOf(tenant: string): readonly string[] {
    if (this.#tenants[0] !== tenant) this.#tenants = [tenant];
    return this.#tenants;
  }

  settle(waiting: QueuedEntry, outcome: Outcome<PoisoningEvidence>): void {
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

  /**
   * Ends an entry without an answer, because of a bug, an abort, or the end of the run. An answered entry keeps its
   * answer.
   */
  abandon(waiting: QueuedEntry, reason: unknown): void {
    const { known, first, others } = waiting;
    if (known === undefined) return;
    letGo(waiting);
    this.#cache.close(known);
    first?.failed(reason);
    if (others !== undefined) for (const other of others) other.failed(reason);
  }

  /** Drops an entry that no event needs any more. No listener is left to notify. */
  forget(waiting: QueuedEntry): void {
    const { known } = waiting;
    letGo(waiting);
    if (known !== undefined) this.#cache.close(known);
  }

  /** Drops all cached answers, because they are not trusted any more. Later questions are sent anew. */
  forgetAnswers(): void {
    this.#cache.forgetAnswers();
  }

  refuse({ part }: QueuedEntry): void {
    this.#refused.add(textOf(part));
  }

  wasRefused({ part }: QueuedEntry): boolean {
    return !this.#refused.isEmpty && this.#refused.has(textOf(part));
  }
}

/**
 * The garbage collector frees long-lived objects late. Without this, everything made from the answer would stay as
 * long.
 */
function letGo(waiting: QueuedEntry): void {
  waiting.known = undefined;
  waiting.first = undefined;
}
