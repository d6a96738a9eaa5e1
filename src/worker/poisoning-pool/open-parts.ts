import type { PoisoningEvidence } from "../../events/evidence.ts";
import { RecentTexts } from "../../kernel/recent-texts.ts";
import { AnswerCache } from "../answer-cache.ts";
import { type Outcome, UNASKED } from "../pace/outcome.ts";
import { type Claim, turnOf } from "../pace/turn.ts";
import type { Part } from "./part.ts";
import { isFlagged } from "./read-answer.ts";
import type { Waiting } from "./waiting.ts";

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

  /** Who asks the same at the moment. */
  asked(part: Part): Waiting | undefined {
    return this.#inFlight.get(part.key);
  }

  /** A part that nobody asks about. */
  open(part: Part, claim: Claim): Waiting {
    const answer = Promise.withResolvers<Outcome<PoisoningEvidence>>();
    const waiting: Waiting = { ...turnOf(claim), part, since: 0, asks: 1, attempts: 0, trace: UNASKED, answer };
    this.#inFlight.set(part.key, waiting);
    return waiting;
  }

  settle({ part, answer }: Waiting, outcome: Outcome<PoisoningEvidence>): void {
    this.#inFlight.delete(part.key);
    if (outcome.ok) {
      this.#refused.delete(part.key);
      this.#cache.keep(part.key, outcome.value, outcome.trace, isFlagged(outcome.value));
    }
    answer.resolve(outcome);
  }

  /** For what is no answer of any kind: a bug, an abort, the end of the run. */
  abandon({ part, answer }: Waiting, reason: unknown): void {
    this.#inFlight.delete(part.key);
    answer.reject(reason);
  }

  refuse({ part }: Waiting): void {
    this.#refused.add(part.key);
  }

  wasRefused({ part }: Waiting): boolean {
    return this.#refused.has(part.key);
  }
}
