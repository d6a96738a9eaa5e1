import type { Decision } from "../../src/messages/decision.ts";
import { isPlainEvidence } from "../../src/messages/evidence.ts";
import { standing } from "../support/standing-verdict.ts";
import { AnswersGiven, type PoisoningSaid } from "./backed-poisoning.ts";
import type { ChaosEvent } from "./events.ts";
import type { History, Said } from "./history.ts";
import type { LogLine } from "./service-log.ts";

/** Whether an event has its final verdict: every answer is there, or can never be. */
export function isSettled(said: readonly Said[] | undefined): boolean {
  return said !== undefined && standing(said)?.lacks !== "service";
}

export interface Judgement {
  readonly lost: number;
  readonly wrong: number;
  /** Verdicts beyond the first one for a (record, verdict_id, revision). */
  readonly duplicates: number;
  /** Duplicates that are equal to the millisecond: they were sent again, not decided again. */
  readonly sentAgain: number;
  /** Duplicates with a missing answer that an earlier verdict of the same revision has. No consumer uses them. */
  readonly vaguer: number;
  /** The most duplicates for the records of one partition. */
  readonly worstPartition: {
    readonly name: string;
    readonly duplicates: number;
    /** Number of all verdicts for the records of this partition. */
    readonly verdicts: number;
  };
  readonly laterRevisions: number;
  /** Entries without additions to the interface: the worker reads these in another way. */
  readonly plainAnswers: number;
  readonly faults: readonly string[];
}

/** Compares the whole history with the written events, the truth, and the service's own log of answers. */
export function judge(
  written: ReadonlyMap<string, ChaosEvent>,
  history: History,
  log: ReadonlyMap<number, LogLine>,
): Judgement {
  const faults = [...history.faults];
  const copies = new Map<string, number>();
  const decided = new Set<string>();
  let sentAgain = 0;
  let vaguer = 0;
  let lost = 0;
  let wrong = 0;
  let laterRevisions = 0;
  let plainAnswers = 0;
  const service = { log, poisoning: new AnswersGiven(log) };
  for (const name of history.said.keys()) {
    if (!written.has(name)) faults.push(`${name}: a verdict on what nobody wrote`);
  }
  for (const [name, event] of written) {
    const said = history.said.get(name);
    if (said === undefined) {
      lost++;
      faults.push(`${name}: no verdict at all`);
      continue;
    }
    const fault = (what: string) => faults.push(`${name}: ${what}`);
    let isWrong = false;
    const answered = new Set<string>();
    for (const [id, chain] of Map.groupBy(said, ({ verdictId }) => verdictId)) {
      judgeChain(chain, event.decision, fault);
      if (event.target === undefined && !history.deadLetters.has(id)) fault("no dead letter");
    }
    if (event.target !== undefined && new Set(said.map(({ verdictId }) => verdictId)).size > 1)
      fault("two verdict ids");
    for (const each of said) {
      if (each.revision > 0) laterRevisions++;
      const key = `${each.source} ${each.verdictId} ${each.revision}`;
      if (each.unanswered !== true) answered.add(key);
      else if (answered.has(key)) vaguer++;
      copies.set(key, (copies.get(key) ?? 0) + 1);
      const once = `${key} ${each.decidedAt}`;
      if (decided.has(once)) sentAgain++;
      decided.add(once);
      if (each.decision !== "UNKNOWN" && each.decision !== event.decision) isWrong = true;
      plainAnswers += each.checks.filter(({ data }) => isPlainEvidence(data)).length;
      judgeEvidence(each, event, service, fault);
    }
    if (isWrong) {
      wrong++;
      fault(`it should be ${event.decision} and is ${said.map(({ decision }) => decision).join(", ")}`);
    }
  }
  return { lost, wrong, laterRevisions, plainAnswers, faults, sentAgain, vaguer, ...duplicatesIn(copies) };
}

function judgeChain(chain: readonly Said[], truth: Decision, fault: (what: string) => void): void {
  const last = Math.max(...chain.map(({ revision }) => revision));
  for (let revision = 0; revision <= last; revision++) {
    const found = new Set(chain.filter((each) => each.revision === revision).map(({ decision }) => decision));
    if (found.size === 0) fault(`revision ${revision} is missing before ${last}`);
    found.delete("UNKNOWN");
    if (found.size > 1) fault(`revision ${revision} says ${[...found].join(" and ")}`);
  }
  const final = standing(chain);
  if (final?.decision !== truth) fault(`at revision ${last} ${final?.decision} stands, and ${truth} is true`);
}

/** Every answer in a verdict must be a complete answer of the service to this very question. */
function judgeEvidence(
  said: Said,
  event: ChaosEvent,
  { log, poisoning }: { readonly log: ReadonlyMap<number, LogLine>; readonly poisoning: AnswersGiven },
  fault: (what: string) => void,
): void {
  const { checks, requiredChecks, decision } = said;
  const answered = new Set(checks.filter(({ outcome }) => outcome === "ok").map(({ check }) => check));
  if (decision !== "UNKNOWN" && decision !== "BLOCK" && requiredChecks.some((check) => !answered.has(check)))
    fault(`${decision} without every required answer`);
  const { target } = event;
  if (target === undefined) return;
  const wanted = event.token === undefined ? ["poisoning"] : ["poisoning", "token-security"];
  if (wanted.some((check) => !requiredChecks.includes(check))) fault("a check was not required");
  for (const entry of checks) {
    const { check, outcome, data } = entry;
    if (outcome !== "ok") continue;
    if (check === "poisoning") {
      for (const what of poisoning.faultsOf(entry as PoisoningSaid, { ...event, target })) fault(what);
    } else {
      const { answered_in: number } = data as { readonly answered_in: number };
      const analysed = log.get(number)?.answer?.analysed;
      if (analysed?.address !== event.token?.address) fault("its token was not what the service analysed");
    }
  }
}

function duplicatesIn(copies: ReadonlyMap<string, number>): Pick<Judgement, "duplicates" | "worstPartition"> {
  const partitions = new Map<string, { duplicates: number; verdicts: number }>();
  for (const [key, count] of copies) {
    const name = key.slice(0, key.lastIndexOf("/"));
    const { duplicates, verdicts } = partitions.get(name) ?? { duplicates: 0, verdicts: 0 };
    partitions.set(name, { duplicates: duplicates + count - 1, verdicts: verdicts + 1 });
  }
  const [worst] = [...partitions].toSorted(([, a], [, b]) => b.duplicates - a.duplicates);
  const duplicates = [...partitions.values()].reduce((sum, each) => sum + each.duplicates, 0);
  const [name, counts] = worst ?? ["none", { duplicates: 0, verdicts: 0 }];
  return { duplicates, worstPartition: { name, ...counts } };
}
