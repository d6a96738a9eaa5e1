import type { PoisoningEvidence } from "../../events/evidence.ts";
import { RecentTexts } from "../../kernel/recent-texts.ts";
import { AnswerCache } from "../answer-cache.ts";
import type { Outcome, Told } from "../pace/outcome.ts";
import type { Claim } from "../pace/turn.ts";
import type { Part } from "./part.ts";
import { isFlagged } from "./read-answer.ts";
import { join, type Waiting, waitingFor } from "./waiting.ts";

/** Refused parts that are remembered. */
const MAX_REFUSED = 10_000;

/** Parts that were asked about and have no answer yet, each once whoever asks, and what others were answered lately. */
export class OpenParts {
  readonly #cache: AnswerCache<PoisoningEvidence>;
  readonly #inFlight = new Map<string, Waiting>();
  /** Parts that were refused in company and have no answer yet: the same bytes must not travel again, whoever asks. */
  readonly #refused = new RecentTexts(MAX_REFUSED);

  /** @param cacheBytes of answers that are remembered, at most. */
  constructor(cacheBytes: number) {
    this.#cache = new AnswerCache(cacheBytes);
  }

  /** What was found out lately. @param now Unix milliseconds. */
  answered(part: Part, claim: Claim, now: number): Outcome<PoisoningEvidence> | undefined {
    const found = this.#cache.find(part.key, claim.lane, now);
    return found === undefined ? undefined : { ok: true, ...found };
  }

  /** Waits with whoever asks the same at the moment. @returns false when nobody does. */
  join(part: Part, claim: Claim, told: Told<PoisoningEvidence>): boolean {
    const waiting = this.#inFlight.get(part.key);
    if (waiting === undefined) return false;
    waiting.others ??= [];
    waiting.others.push(told);
    join(waiting, claim);
    return true;
  }

  /** A part that nobody asks about. */
  open(part: Part, claim: Claim, told: Told<PoisoningEvidence>): Waiting {
    const waiting = waitingFor(part, claim, told);
    this.#inFlight.set(part.key, waiting);
    return waiting;
  }

  settle({ part, first, others }: Waiting, outcome: Outcome<PoisoningEvidence>): void {
    this.#inFlight.delete(part.key);
    if (outcome.ok) {
      this.#refused.delete(part.key);
      this.#cache.keep(part.key, outcome.value, outcome.trace, isFlagged(outcome.value));
    }
    first.answered(outcome);
    if (others !== undefined) for (const other of others) other.answered(outcome);
  }

  /** For what is no answer of any kind: a bug, an abort, the end of the run. What has its answer already keeps it. */
  abandon(waiting: Waiting, reason: unknown): void {
    const { part, first, others } = waiting;
    if (this.#inFlight.get(part.key) !== waiting) return;
    this.#inFlight.delete(part.key);
    first.failed(reason);
    if (others !== undefined) for (const other of others) other.failed(reason);
  }

  refuse({ part }: Waiting): void {
    this.#refused.add(part.key);
  }

  wasRefused({ part }: Waiting): boolean {
    return this.#refused.has(part.key);
  }
}
