import { type Decision, decisions } from "../events/decision.ts";
import { rejectionCodes, type Verdict } from "../events/verdict.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Progress } from "./progress.ts";

const rejections: ReadonlySet<string> = new Set(rejectionCodes);

/** Counts of one run: what its progress line, its summary and its exit status are made from. */
export class Tally {
  readonly byDecision: Record<Decision, number> = { ALLOW: 0, WARN: 0, UNKNOWN: 0, BLOCK: 0 };
  readonly byFailure = new Map<string, number>();
  resumed = 0;
  rejected = 0;
  unanswered = 0;
  requests = 0;
  rateLimited = 0;
  #records = 0;
  #settled = 0;
  readonly #lines: number | undefined;
  readonly #clock: Clock;
  readonly #startedAt: number;

  /** @param lines lines of the input, when they could be counted beforehand. */
  constructor(clock: Clock, lines: number | undefined) {
    this.#clock = clock;
    this.#startedAt = clock.ticks();
    this.#lines = lines;
  }

  countRecord(): void {
    this.#records++;
  }

  countRequest(status: number): void {
    this.requests++;
    if (status === 429) this.rateLimited++;
  }

  /** A verdict that an earlier run left: it belongs to the outcome, not to the speed. */
  countEarlier(verdict: Verdict): void {
    this.resumed++;
    this.countVerdict(verdict);
  }

  countVerdict(verdict: Verdict): void {
    this.#settled++;
    this.byDecision[verdict.decision]++;
    const codes = verdict.checks.flatMap(({ outcome, error }) =>
      outcome === "failed" && error !== undefined ? [error.code] : [],
    );
    for (const code of new Set(codes)) this.byFailure.set(code, (this.byFailure.get(code) ?? 0) + 1);
    if (codes.some((code) => !rejections.has(code))) this.unanswered++;
    else if (codes.length > 0) this.rejected++;
  }

  get elapsedMs(): number {
    return this.#clock.ticks() - this.#startedAt;
  }

  get settled(): number {
    return this.#settled;
  }

  progress(): Progress {
    const done = this.#settled;
    return {
      done,
      total: this.#lines === undefined ? undefined : Math.max(this.#lines, done, this.#records),
      requests: this.requests,
      rateLimited: this.rateLimited,
      elapsedMs: this.elapsedMs,
      resumedAt: this.resumed,
    };
  }

  /** 0: every event was read and every check answered. 2: some could not be screened. 1: the service failed some. */
  exitStatus(): 0 | 1 | 2 {
    if (this.unanswered > 0) return 1;
    return this.rejected > 0 ? 2 : 0;
  }

  /** The decisions in the order of their weight, with their counts. */
  decisions(): readonly (readonly [Decision, number])[] {
    return decisions.map((decision) => [decision, this.byDecision[decision]] as const);
  }
}
