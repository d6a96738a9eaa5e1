import type { Check } from "../../messages/checks.ts";
import { type Decision, mostSevere } from "../../messages/decision.ts";
import { isPlainEvidence, readEvidence } from "../../messages/evidence.ts";
import type { CheckEntry, Reason, Subject } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { executedClean, SETTLED_BY_EXECUTION } from "./executed-clean.ts";
import { classificationRule } from "./findings/classification.ts";
import { evmSecurityRule } from "./findings/evm-security.ts";
import { listedRule } from "./findings/listed.ts";
import { paymentRule } from "./findings/payment.ts";
import { poisoningRule } from "./findings/poisoning.ts";
import type { Context, Finding, Rule } from "./findings/rule.ts";
import { simulationRule } from "./findings/solana-simulation.ts";
import { tokenSecurityRule } from "./findings/token/token-security.ts";
import { tronIntegrityRule } from "./findings/tron-integrity.ts";
import { tronSecurityRule } from "./findings/tron-security.ts";
import { keptReasons, type ReasonBounds } from "./kept-reasons.ts";

/** All inputs of a decision. The verdict contains them, so that an audit can decide again. */
export interface Case {
  readonly subject: Subject;
  readonly requiredChecks: readonly Check[];
  readonly checks: readonly CheckEntry[];
}

const rules = {
  poisoning: poisoningRule,
  "token-security": tokenSecurityRule,
  classification: classificationRule,
  "solana-simulation": simulationRule,
  "tron-security": tronSecurityRule,
  "evm-security": evmSecurityRule,
  "tron-integrity": tronIntegrityRule,
  listed: listedRule,
  payment: paymentRule,
} satisfies Record<Check, Rule>;

/** Checks without a service. Alone they say nothing about the recipient of a payment. */
const madeHere: ReadonlySet<string> = new Set(["tron-integrity", "listed", "payment"]);

/** Findings about how a check was made, not about its subject. */
const notes: ReadonlySet<string> = new Set([
  "no_users",
  "not_claimed",
  "not_analysed",
  "nobodys_address",
  "listed_allowed",
]);

interface Decided {
  readonly decision: Decision;
  readonly reasons: readonly Reason[];
}

/** Bounds for the reasons of a very long answer. */
const MOST_SAID: ReasonBounds = { count: 50, detail: 2_000, details: 25_000 };

/** The decision for nearly every event. */
const clean: Decided = { decision: "ALLOW", reasons: [noSignal("poisoning")] };

/**
 * Decides one event. Pure, and closed by default. ALLOW requires an answer to every required check, in the form of the
 * interface, and no finding. A check that failed, is missing or cannot be read means UNKNOWN. A BLOCK finding stands
 * even then. Precedence: BLOCK > UNKNOWN > WARN > ALLOW.
 */
export function decide({ subject, requiredChecks, checks }: Case, table: PolicyTable): Decided {
  const about = { subject, table, allowed: allowedBy(checks) };
  if (isClean(checks, requiredChecks, about)) return clean;
  const reasons: Reason[] = [];
  for (const entry of checks) {
    const settled = entry.error?.code === SETTLED_BY_EXECUTION ? executedClean(checks, about) : undefined;
    if (settled === undefined) addReasons(reasons, entry, about);
    else reasons.push({ check: entry.check, ...settled });
  }
  for (const check of requiredChecks) {
    if (isMade(check, checks)) continue;
    reasons.push({ check, finding: "check_missing", severity: "UNKNOWN", detail: "the required check was not made" });
  }
  const decision = mostSevere(reasons);
  if (decision !== "ALLOW" || isAnswered(checks) || isListedEnough(requiredChecks))
    return { decision, reasons: keptReasons(reasons, MOST_SAID) };
  reasons.push({ check: "event", finding: "nothing_checked", severity: "UNKNOWN", detail: "no check was answered" });
  return { decision: "UNKNOWN", reasons: keptReasons(reasons, MOST_SAID) };
}

/** Whether poisoning is the only check, and its answer has no finding. */
function isClean(checks: readonly CheckEntry[], required: readonly Check[], about: Context): boolean {
  const only = checks[0];
  if (only?.check !== "poisoning" || checks.length > 1 || only.outcome !== "ok" || only.error !== undefined)
    return false;
  // By index: the iterator of a frozen list, such as a policy's, would be allocated for every event.
  for (let i = 0; i < required.length; i++) if (required[i] !== "poisoning") return false;
  return isPlainEvidence(only.data) && rules.poisoning(only.data, about)?.length === 0;
}

/** The addresses that an operator's list allows, by the evidence. An address that a list accuses is not allowed. */
function allowedBy(checks: readonly CheckEntry[]): ReadonlySet<string> {
  const entry = checks.find(({ check }) => check === "listed");
  const matches = entry === undefined ? [] : (readEvidence("listed", entry.data)?.matches ?? []);
  if (matches.length === 0) return NONE_ALLOWED;
  const accused = new Set(matches.flatMap(({ standing, address }) => (standing === "allowed" ? [] : [address])));
  return new Set(matches.flatMap(({ address }) => (accused.has(address) ? [] : [address])));
}

const NONE_ALLOWED: ReadonlySet<string> = new Set();

function noSignal(check: CheckEntry["check"]): Reason {
  const detail = "no configured signal; not a guarantee of safety";
  return { check, finding: "no_signal", severity: "INFO", detail };
}

/** Whether the policy requires only the lists. */
function isListedEnough(required: readonly Check[]): boolean {
  return required.length === 1 && required[0] === "listed";
}

/** Whether a service answered at least one check. */
function isAnswered(checks: readonly CheckEntry[]): boolean {
  for (const { check, outcome } of checks) if (outcome === "ok" && !madeHere.has(check)) return true;
  return false;
}

function isMade(check: Check, checks: readonly CheckEntry[]): boolean {
  for (const entry of checks) if (entry.check === check && entry.outcome !== "not_applicable") return true;
  return false;
}

function addReasons(reasons: Reason[], { check, outcome, data, error }: CheckEntry, context: Context): void {
  if (outcome === "failed" || check === "event" || (outcome === "ok" && error !== undefined)) {
    const { code, detail } = error ?? { code: "ANSWER_INVALID", detail: "the check failed without a reason" };
    reasons.push({ check, finding: code, severity: "UNKNOWN", detail });
    // The flags of a partial answer stand, because the missing part can only add to them.
    const found = check === "event" || data === undefined ? [] : (rules[check](data, context) ?? []);
    for (const finding of found) if (!notes.has(finding.finding)) reasons.push({ check, ...finding });
    return;
  }
  if (outcome === "not_applicable") {
    const detail = error?.detail ?? "the check does not apply to this subject";
    reasons.push({ check, finding: "not_applicable", severity: "INFO", detail });
    return;
  }
  const found = rules[check](data, context);
  if (found === undefined) {
    const detail = "the answer does not read as the interface says";
    reasons.push({ check, finding: "ANSWER_INVALID", severity: "UNKNOWN", detail });
    return;
  }
  if (isNoted(found)) reasons.push(noSignal(check));
  for (const finding of found) reasons.push({ check, ...finding });
}

/** Whether there are no findings about the subject. */
function isNoted(found: readonly Finding[]): boolean {
  for (const { finding } of found) if (!notes.has(finding)) return false;
  return true;
}
