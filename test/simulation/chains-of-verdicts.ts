import { isDeepStrictEqual } from "node:util";
import type { Decision } from "../../src/messages/decision.ts";
import { isPlainEvidence } from "../../src/messages/evidence.ts";
import { failuresIn, lacking, type Verdict } from "../../src/messages/verdict.ts";
import { verdictIdOf } from "../../src/worker/plan/reading/record-identity.ts";
import { isNotMilder } from "../support/not-milder.ts";
import { lineOf } from "../support/verdicts.ts";
import { faultsOfPoisoning, type PoisoningEntry } from "./backed-poisoning.ts";
import { isBackedByTransaction } from "./backed-transactions.ts";
import type { Expected } from "./expected.ts";
import type { Scenario } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import { itemKey, prefixed } from "./truth.ts";
import type { Watch } from "./watch.ts";

type Entry = Verdict["checks"][number];

/** The verdicts of a scenario as they become durable, each compared with the log of the service. */
export class ChainsOfVerdicts {
  readonly #scenario: Scenario;
  readonly #watch: Watch;
  readonly #log: readonly LoggedRequest[];
  readonly #expected = new Map<string, Expected>();
  readonly #last = new Map<string, Verdict>();

  constructor(scenario: Scenario, watch: Watch, log: readonly LoggedRequest[]) {
    this.#scenario = scenario;
    this.#watch = watch;
    this.#log = log;
    for (const [i, expected] of scenario.expected.entries()) {
      const record = scenario.records[i];
      if (record !== undefined) this.#expected.set(verdictIdOf(record), expected);
    }
    if (this.#expected.size < scenario.records.length) watch.saw("repeated events");
  }

  add(verdict: Verdict): void {
    const { verdict_id: id, revision, decision } = verdict;
    const fault = (what: string) => this.#watch.fault(`${inWords(verdict)}: ${what}`);
    const expected = this.#expected.get(id);
    const last = this.#last.get(id);
    if (expected === undefined) {
      fault("nobody asked for it");
      return;
    }
    if (revision !== (last?.revision ?? -1) + 1) fault(`it follows revision ${last?.revision ?? "none"}`);
    if (last !== undefined && lacking(last) !== "service") fault("the one before lacked nothing");
    if (revision > 0) this.#watch.saw("later revisions");
    this.#last.set(id, verdict);
    if (isMadeUp(decision, expected.decision) && !this.#wasChanged(expected))
      fault(`the service would say ${expected.decision}`);
    for (const entry of verdict.checks) {
      this.#checkEntry(entry, verdict, expected, fault);
      const line = "line" in verdict.source ? verdict.source.line : 0;
      for (const what of this.#watch.remembered.faultsOf(entry, line, expected, this.#log)) fault(what);
    }
    const answered = verdict.checks.filter(({ outcome }) => outcome === "ok").map(({ check }) => check);
    if (decision === "ALLOW" && expected.checks.some((check) => !answered.some((each) => each === check)))
      fault("a check was not answered");
  }

  /** The checks after the last run, in which the service answered every request. */
  end(): void {
    for (const [id, expected] of this.#expected) {
      const last = this.#last.get(id);
      if (last === undefined) {
        this.#watch.fault(`no verdict on ${expected.target === undefined ? "a bad record" : itemKey(expected.target)}`);
      } else if (lacking(last) === "service" && !expected.isUnanswerable) {
        this.#watch.fault(`${inWords(last)}: it still lacks an answer: ${JSON.stringify(last.reasons)}`);
      } else if (
        !this.#isRight(last.decision, expected) &&
        !this.#wasChanged(expected) &&
        !this.#isRefused(last, expected)
      ) {
        this.#watch.fault(`${inWords(last)}: it should be ${expected.decision}`);
      }
    }
  }

  /** Whether a verdict is UNKNOWN because the service refused exactly this address or token. That is final. */
  #isRefused(verdict: Verdict, { target, token, transactions }: Expected): boolean {
    const isFinal = failuresIn(verdict).some(({ code }) => code === "ITEM_FAILED");
    if (verdict.decision !== "UNKNOWN" || !isFinal) return false;
    if (transactions.length > 0) return true;
    const own = new Set([target, token].flatMap((item) => (item === undefined ? [] : [itemKey(item)])));
    return this.#log.some(({ answer }) =>
      [...(answer?.targets ?? []), ...(answer?.tokens ?? [])].some(
        (item) => item.flags === undefined && own.has(itemKey(item)),
      ),
    );
  }

  /** With a service without findings, the worker judges Solana transactions itself, and never more mildly. */
  #isRight(decision: Decision, { decision: expected, checks }: Expected): boolean {
    if (decision === expected) return true;
    const isJudged = this.#scenario.world.isExact && checks.includes("solana-simulation");
    return isJudged && isNotMilder(expected, decision);
  }

  #checkEntry(entry: Entry, verdict: Verdict, expected: Expected, fault: (what: string) => void): void {
    const { check, outcome, error, attempts, cached, data } = entry;
    if (cached) this.#watch.saw("cached answers");
    if (error?.code === "DEADLINE_PASSED") this.#watch.saw("deadlines");
    if (error?.code === "SERVICE_RATE_LIMITED" || error?.code === "SERVICE_UNAUTHORIZED")
      fault(`it is charged ${error.code}`);
    // An item that is missing in its answer, or an invalid answer, gets fewer attempts.
    if (error?.code === "SERVICE_UNAVAILABLE" && (attempts ?? 0) < 5)
      fault(`it is given up after ${attempts} requests`);
    if (error?.code === "SERVICE_REJECTED" && !expected.isUnanswerable) fault("nothing that it names was refused");
    if (outcome !== "ok") return;
    if (check === "poisoning") {
      if (isPlainEvidence(data)) this.#watch.saw("plain answers");
      if (expected.checks.includes("solana-simulation")) {
        this.#watch.saw("receivers compared");
        // A changed answer decides about the recipient.
        if (this.#wasChanged(expected)) return;
      }
      const { world } = this.#scenario;
      const isStale = ({ sentAt }: LoggedRequest) =>
        isPassed(verdict) && this.#watch.silences.isBetween(sentAt, lineOf(verdict));
      const known = { world, log: this.#log, isStale };
      for (const what of faultsOfPoisoning(entry as PoisoningEntry, expected, known)) fault(what);
    } else if (check === "solana-simulation" || check === "tron-security" || check === "evm-security") {
      if (!isBackedByTransaction(entry, expected.transactions, this.#log, this.#scenario.transactions))
        fault(`${check} is not what the service answered`);
    } else if (check === "token-security" || check === "classification") {
      const subject = check === "token-security" ? expected.token : expected.target;
      const backing = this.#log.find(
        ({ answer, asked }) =>
          asked.some(({ chain_id, address }) => address === subject?.address && chain_id === subject.chain_id) &&
          answer?.answeredAt === entry.answered_at &&
          isDeepStrictEqual(answer?.data, data),
      );
      const isAbout = subject !== undefined && (data as { address: string }).address === prefixed(subject);
      // A flipped bit may change the name of a chain into an unknown name.
      if (!isAbout && backing?.answer?.isTrue !== false) fault(`${check} is about another chain or address`);
      if (backing === undefined) fault(`${check} is not what the service answered`);
    }
  }

  /** Whether an answer about an event differs from the answer that the service sent. Then only its bytes count. */
  #wasChanged({ target, token, transactions }: Expected): boolean {
    return this.#log.some(
      ({ answer, asked, transactions: sent }) =>
        answer?.isTrue === false &&
        (asked.some(({ address }) => address === target?.address || address === token?.address) ||
          sent.some((key) => transactions.includes(key))),
    );
  }
}

/** Whether a decision clears or accuses, and the service does not. */
function isMadeUp(decision: Decision, expected: Decision): boolean {
  return (decision === "ALLOW" || decision === "BLOCK") && decision !== expected;
}

function isPassed({ decision }: Verdict): boolean {
  return decision === "ALLOW" || decision === "WARN";
}

function inWords(verdict: Verdict): string {
  const { verdict_id, revision, decision } = verdict;
  return `line ${lineOf(verdict)} ${decision} (${verdict_id.slice(0, 8)}, ${revision})`;
}
