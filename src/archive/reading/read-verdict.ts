import { checks } from "../../messages/checks.ts";
import { decisions, severities } from "../../messages/decision.ts";
import { VERDICT_SCHEMA, type Verdict, verdictIn } from "../../messages/verdict.ts";

const ID = /^[0-9a-f]{64}$/;
const OUTCOMES: ReadonlySet<unknown> = new Set(["ok", "failed", "not_applicable"]);
const DECISIONS: ReadonlySet<unknown> = new Set(decisions);
const SEVERITIES: ReadonlySet<unknown> = new Set(severities);
const CHECKS: ReadonlySet<unknown> = new Set(["event", ...checks]);

/**
 * The verdict in a line. Undefined for a line without one. Archives hold millions of verdicts of one plain form, whose
 * fields are compared here by hand. The schema reads every other form.
 *
 * Faster than the schema alone by: see bench/results/backtest.md.
 */
export function readVerdict(line: Buffer): Verdict | undefined {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    if (isPlainVerdict(value)) return value;
    const verdict = verdictIn(line);
    return verdict !== undefined && ID.test(verdict.verdict_id) ? verdict : undefined;
  } catch {
    return undefined;
  }
}

/** Whether `value` certainly fits the schema of verdicts: an address, answered checks, and no reduced part. */
function isPlainVerdict(value: unknown): value is Verdict {
  if (typeof value !== "object" || value === null) return false;
  const verdict = value as { readonly [K in keyof Verdict]?: unknown };
  return (
    verdict.schema === VERDICT_SCHEMA &&
    isText(verdict.verdict_id) &&
    ID.test(verdict.verdict_id) &&
    isCount(verdict.revision) &&
    isText(verdict.event_id) &&
    isText(verdict.tenant) &&
    DECISIONS.has(verdict.decision) &&
    (verdict.unanswered === undefined || verdict.unanswered === true) &&
    isText(verdict.decided_at) &&
    isText(verdict.software) &&
    (verdict.lists === undefined || isText(verdict.lists)) &&
    verdict.reduced === undefined &&
    isPolicy(verdict.policy) &&
    isSource(verdict.source) &&
    isAddressSubject(verdict.subject) &&
    isListOf(verdict.required_checks, (check) => check !== "event" && CHECKS.has(check)) &&
    isListOf(verdict.checks, isPlainEntry) &&
    isListOf(verdict.reasons, isReason) &&
    verdict.reasons.length > 0
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isListOf(value: unknown, fits: (item: unknown) => boolean): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (!fits(item)) return false;
  return true;
}

function isPolicy(value: unknown): boolean {
  const { id, sha256 } = fieldsOf(value);
  return isText(id) && isText(sha256);
}

function isSource(value: unknown): boolean {
  const { file, line, topic, partition, offset } = fieldsOf(value);
  if (topic === undefined) return isText(file) && isCount(line) && line !== 0;
  return file === undefined && isText(topic) && isCount(partition) && isText(offset);
}

function isAddressSubject(value: unknown): boolean {
  const { type, chain_id, address, user_addresses: users, token_address: token } = fieldsOf(value);
  return (
    type === "address" &&
    isText(chain_id) &&
    isText(address) &&
    (users === undefined || isListOf(users, isText)) &&
    (token === undefined || isText(token))
  );
}

function isPlainEntry(value: unknown): boolean {
  const { check, outcome, requested_at, answered_at, cached, attempts, reduced, error } = fieldsOf(value);
  return (
    CHECKS.has(check) &&
    OUTCOMES.has(outcome) &&
    (requested_at === undefined || isText(requested_at)) &&
    (answered_at === undefined || isText(answered_at)) &&
    typeof cached === "boolean" &&
    isCount(attempts) &&
    reduced === undefined &&
    error === undefined
  );
}

function isReason(value: unknown): boolean {
  const { check, finding, severity, detail, resembles } = fieldsOf(value);
  return (
    CHECKS.has(check) &&
    isText(finding) &&
    SEVERITIES.has(severity) &&
    isText(detail) &&
    (resembles === undefined || isText(resembles))
  );
}

type Fields = Readonly<Record<string, unknown>>;
const NO_FIELDS: Fields = {};

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : NO_FIELDS;
}
