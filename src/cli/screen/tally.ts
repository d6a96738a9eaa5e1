import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type Decision, decisions } from "../../messages/decision.ts";
import { failuresIn, lacking, type Verdict } from "../../messages/verdict.ts";
import type { RunProgress } from "../terminal/progress.ts";

/** The counts of one run: the source of its progress line, its summary and its exit status. */
export class Tally {
  readonly byDecision: Record<Decision, number> = { ALLOW: 0, WARN: 0, UNKNOWN: 0, BLOCK: 0 };
  readonly byFailure = new Map<string, number>();
  /** The message of the first failure of each kind. */
  readonly firstSaid = new Map<string, string>();
  resumed = 0;
  /** Verdicts of earlier runs by the id of their set of lists; empty for none. */
  readonly resumedByLists = new Map<string, number>();
  /** Id of the set of lists in use; undefined without lists. */
  listSet: string | undefined;
  rejected = 0;
  unanswered = 0;
  requests = 0;
  /** Requests that the service refused for load, by HTTP status; 200 for a refusal in the envelope. */
  readonly refusedForLoad = new Map<number, number>();
  #unanswered = 0;
  /** Records that repeat an event with the same id. */
  repeated = 0;
  /** Records with the id of an earlier event that differs. */
  conflicting = 0;
  /** Events about an address, and events among these without an address of their user. */
  addressEvents = 0;
  withoutUsers = 0;
  #waiting: Unfinished | undefined;
  #records = 0;
  #settled = 0;
  readonly #lines: number | undefined;
  readonly #clock: Clock;
  readonly #startedAt: number;
  /** State at the last progress line after new verdicts. For speed, the clock is not read at each verdict. */
  #decided: { readonly settled: number; readonly at: number; readonly loadRefusals: number };

  /** @param lines lines of the input, when they could be counted beforehand. */
  constructor(clock: Clock, lines: number | undefined) {
    this.#clock = clock;
    this.#startedAt = clock.ticks();
    this.#decided = { settled: 0, at: this.#startedAt, loadRefusals: 0 };
    this.#lines = lines;
  }

  countRecord(): void {
    this.#records++;
  }

  /** Records that these lines are left out. */
  wait(lines: Unfinished): void {
    this.#waiting = lines;
  }

  /** Lines at the end of the input that may still grow. */
  get waiting(): Unfinished | undefined {
    return this.#waiting;
  }

  countRepeated(): void {
    this.repeated++;
  }

  countConflicting(): void {
    this.conflicting++;
  }

  countRequest(status: number): void {
    this.requests++;
    if (status === 0 || status >= 400) this.#unanswered++;
  }

  /** Counts a request that was refused for load. @param status of HTTP. */
  countLoadRefused(status: number): void {
    this.refusedForLoad.set(status, (this.refusedForLoad.get(status) ?? 0) + 1);
  }

  /** Refusals for load, with any status. */
  get loadRefusals(): number {
    return [...this.refusedForLoad.values()].reduce((all, count) => all + count, 0);
  }

  /** Requests without an answer that were not refused for load: failed or lost. */
  get failed(): number {
    const byStatus = this.loadRefusals - (this.refusedForLoad.get(200) ?? 0);
    return Math.max(0, this.#unanswered - byStatus);
  }

  /** Counts a verdict of an earlier run: it belongs to the outcome, not to the speed. */
  countEarlier(verdict: Verdict): void {
    this.resumed++;
    const { lists = "" } = verdict;
    this.resumedByLists.set(lists, (this.resumedByLists.get(lists) ?? 0) + 1);
    this.countVerdict(verdict);
  }

  /** Counts a verdict. A provisional verdict does not count, since its replacement will. */
  countVerdict(verdict: Verdict): void {
    for (const { error } of verdict.checks) if (error?.code === "DEADLINE_PASSED") return;
    this.#settled++;
    this.byDecision[verdict.decision]++;
    this.#countUsers(verdict);
    this.#countFailures(verdict);
    const lacks = lacking(verdict);
    if (lacks === "service") this.unanswered++;
    if (lacks === "input") this.rejected++;
  }

  /** Reads the event itself: a failed check has no data about its users. */
  #countUsers({ subject }: Verdict): void {
    if (subject.type !== "address") return;
    this.addressEvents++;
    if (subject.user_addresses === undefined || subject.user_addresses.length === 0) this.withoutUsers++;
  }

  #countFailures(verdict: Verdict): void {
    const failures = failuresIn(verdict);
    if (failures.length === 0) return;
    for (const { code, detail } of failures) if (!this.firstSaid.has(code)) this.firstSaid.set(code, detail);
    for (const code of new Set(failures.map((each) => each.code)))
      this.byFailure.set(code, (this.byFailure.get(code) ?? 0) + 1);
  }

  get elapsedMs(): number {
    return this.#clock.ticks() - this.#startedAt;
  }

  get settled(): number {
    return this.#settled;
  }

  /** The progress until now. The time without a decision is counted between two calls. */
  progress(): RunProgress {
    const { loadRefusals } = this;
    const now = this.#clock.ticks();
    if (this.#settled !== this.#decided.settled) this.#decided = { settled: this.#settled, at: now, loadRefusals };
    const done = this.#settled + this.repeated;
    return {
      done,
      total: this.#lines === undefined ? undefined : Math.max(this.#lines - this.#waitingLines(), done, this.#records),
      requests: this.requests,
      loadRefusals,
      failed: this.failed,
      undecided: { ms: now - this.#decided.at, loadRefusals: loadRefusals - this.#decided.loadRefusals },
      elapsedMs: this.elapsedMs,
      resumedAt: this.resumed,
      waiting: this.#waiting,
    };
  }

  #waitingLines(): number {
    return this.#waiting === undefined ? 0 : this.#waiting.to - this.#waiting.from + 1;
  }

  /** Verdicts of earlier runs that were screened with another set of lists. */
  get heldOtherwise(): number {
    return this.resumed - (this.resumedByLists.get(this.listSet ?? "") ?? 0);
  }

  /**
   * 0: every event was read and every check answered. 2: some events could not be screened. 1: the service failed for
   * some.
   */
  exitStatus(): 0 | 1 | 2 {
    if (this.unanswered > 0) return 1;
    if (this.heldOtherwise > 0 || this.#waiting !== undefined) return 2;
    return this.rejected > 0 ? 2 : 0;
  }

  /** The decisions in the order of severity, with their counts. */
  decisions(): readonly (readonly [Decision, number])[] {
    return decisions.map((decision) => [decision, this.byDecision[decision]] as const);
  }
}
