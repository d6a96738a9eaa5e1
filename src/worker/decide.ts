import type { Check } from "../events/checks.ts";
import { type Decision, mostSevere, severities } from "../events/decision.ts";
import type { PolicyTable } from "../events/policy.ts";
import type { CheckEntry, Reason, Subject } from "../events/verdict.ts";
import { classificationRule } from "./findings/classification.ts";
import { evmSecurityRule } from "./findings/evm-security.ts";
import { poisoningRule } from "./findings/poisoning.ts";
import type { Context, Rule } from "./findings/rule.ts";
import { simulationRule } from "./findings/solana-simulation.ts";
import { tokenSecurityRule } from "./findings/token-security.ts";
import { tronIntegrityRule } from "./findings/tron-integrity.ts";
import { tronSecurityRule } from "./findings/tron-security.ts";

/** Everything a decision depends on; all of it stands in the verdict, so that an audit can decide again. */
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
} satisfies Record<Check, Rule>;

/** Checks that no service answered: alone they say nothing of the one who is paid. */
const madeHere: ReadonlySet<string> = new Set(["tron-integrity"]);

/** Findings about how a check was made, and not about its subject. */
const notes: ReadonlySet<string> = new Set(["no_users", "not_claimed", "not_analysed", "nobodys_address"]);

/**
 * Decides one event. Pure, and closed by default: ALLOW only when every required check answered, its answer reads as
 * the interface says, and nothing fired. What failed, is missing or cannot be read is UNKNOWN; a BLOCK finding stands
 * even then. Precedence BLOCK > UNKNOWN > WARN > ALLOW.
 */
export function decide(
  { subject, requiredChecks, checks }: Case,
  table: PolicyTable,
): { readonly decision: Decision; readonly reasons: readonly Reason[] } {
  const reasons = checks.flatMap((entry) => reasonsOf(entry, { subject, table }));
  const made = checks.filter(({ outcome }) => outcome !== "not_applicable");
  for (const check of requiredChecks.filter((each) => !made.some((entry) => entry.check === each))) {
    reasons.push({ check, finding: "check_missing", severity: "UNKNOWN", detail: "the required check was not made" });
  }
  if (
    !checks.some(({ check, outcome }) => outcome === "ok" && !madeHere.has(check)) &&
    reasons.every(({ severity }) => severity === "INFO")
  ) {
    reasons.push({ check: "event", finding: "nothing_checked", severity: "UNKNOWN", detail: "no check was answered" });
  }
  return { decision: mostSevere(reasons.map(({ severity }) => severity)), reasons: kept(reasons) };
}

/** Of a service that says very much: so many reasons, those that decide first, and so much of each; less when all do. */
const MAX_REASONS = 50;
const MAX_DETAIL = 2_000;
const MAX_DETAILS = 25_000;

function kept(reasons: readonly Reason[]): readonly Reason[] {
  const most = reasons.length <= MAX_REASONS ? reasons : worstOf(reasons);
  const isMuch = most.reduce((sum, { detail }) => sum + Math.min(MAX_DETAIL, detail.length), 0) > MAX_DETAILS;
  const room = isMuch ? MAX_DETAILS / MAX_REASONS : MAX_DETAIL;
  return most.map((reason) =>
    reason.detail.length <= room ? reason : { ...reason, detail: `${reason.detail.slice(0, room)}...` },
  );
}

function worstOf(reasons: readonly Reason[]): readonly Reason[] {
  const order = ({ severity }: Reason) => severities.indexOf(severity);
  const most = reasons.toSorted((a, b) => order(b) - order(a)).slice(0, MAX_REASONS - 1);
  const detail = `${reasons.length - most.length} more reasons are not repeated here`;
  return [...most, { check: "event", finding: "more_reasons", severity: "INFO", detail }];
}

function reasonsOf({ check, outcome, data, error }: CheckEntry, context: Context): readonly Reason[] {
  if (outcome === "failed" || check === "event" || (outcome === "ok" && error !== undefined)) {
    const { code, detail } = error ?? { code: "ANSWER_INVALID", detail: "the check failed without a reason" };
    // Of a question that could be asked in part, what was flagged stands: the rest can only add to it.
    const found = check === "event" || data === undefined ? [] : (rules[check](data, context) ?? []);
    const certain = found.filter(({ finding }) => !notes.has(finding)).map((finding) => ({ check, ...finding }));
    return [{ check, finding: code, severity: "UNKNOWN", detail }, ...certain];
  }
  if (outcome === "not_applicable") {
    const detail = error?.detail ?? "the check does not apply to this subject";
    return [{ check, finding: "not_applicable", severity: "INFO", detail }];
  }
  const found = rules[check](data, context);
  if (found === undefined) {
    const detail = "the answer does not read as the interface says";
    return [{ check, finding: "ANSWER_INVALID", severity: "UNKNOWN", detail }];
  }
  const reasons = found.map((finding) => ({ check, ...finding }));
  if (found.some(({ finding }) => !notes.has(finding))) return reasons;
  const detail = "no configured signal; not a guarantee of safety";
  return [{ check, finding: "no_signal", severity: "INFO", detail }, ...reasons];
}
