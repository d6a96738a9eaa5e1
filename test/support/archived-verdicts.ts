import fc from "fast-check";
import policyFile from "../../data/policy.json" with { type: "json" };
import { sha256 } from "../../src/kernel/hash.ts";
import type { CheckEntry, Subject, Verdict } from "../../src/messages/verdict.ts";
import { PolicyTable } from "../../src/policy/policy.ts";
import { failed } from "../../src/worker/answers/check-entry.ts";
import { decide } from "../../src/worker/decide/decide.ts";
import { answered, clean, subject } from "../fakes/evidence.ts";

export const defaultTable = PolicyTable.parse(policyFile.tables.default);

/** A verdict that `table` decides. */
export function verdictOn(
  checks: readonly CheckEntry[],
  changes: Partial<Verdict> = {},
  table: PolicyTable = defaultTable,
): Verdict {
  const { subject: about = subject, required_checks: requiredChecks = ["poisoning"] } = changes;
  const { decision, reasons } = decide({ subject: about, requiredChecks, checks }, table);
  return {
    schema: "weir.verdict/1",
    verdict_id: sha256("a verdict"),
    event_id: "an event",
    tenant: "",
    revision: 0,
    decision,
    reasons,
    subject: about,
    required_checks: requiredChecks,
    checks: [...checks],
    policy: { id: "default", sha256: "0".repeat(64) },
    source: { file: "events.ndjson", line: 1 },
    decided_at: "2026-11-30T08:00:00.000Z",
    software: "weir/0.1.0",
    ...changes,
  };
}

const flag = fc.constantFrom("0", "1");
const poisoning = fc
  .record({ is_poisoning: flag, mimics_user: flag, mimics_exchange: flag })
  .map((target) => answered("poisoning", { target }));
const token = fc.record({ is_honeypot: flag, hidden_owner: flag, self_destruct: flag, unlimited_mintable: flag });
const tokenSecurity = token.map((security_risks) =>
  answered("token-security", { ...clean.tokenSecurity, security_risks }),
);

/** The checks of an address with or without a token, answered or not. */
export const anyChecks: fc.Arbitrary<readonly CheckEntry[]> = fc
  .tuple(
    fc.oneof(poisoning, fc.constant(failed("poisoning", "SERVICE_UNAVAILABLE", "503"))),
    fc.option(tokenSecurity, { nil: undefined }),
  )
  .map(([first, second]) => (second === undefined ? [first] : [first, second]));

const token_address = "0xdac17f958d2ee523a2206206994597c13d831ec7";

/** The subject of `checks`. */
export function subjectOfChecks(checks: readonly CheckEntry[]): Subject {
  return checks.length > 1 ? { ...subject, token_address } : subject;
}

/** A policy with some rows and required checks exchanged. */
export const anyTable: fc.Arbitrary<PolicyTable> = fc
  .record({
    is_poisoning: fc.constantFrom("INFO", "WARN", "UNKNOWN", "BLOCK"),
    mimics_user: fc.constantFrom("INFO", "WARN", "UNKNOWN", "BLOCK"),
    is_honeypot: fc.constantFrom("INFO", "WARN", "UNKNOWN", "BLOCK"),
    hidden_owner: fc.constantFrom("INFO", "WARN", "UNKNOWN", "BLOCK"),
    address: fc.subarray(["poisoning", "classification"] as const, { minLength: 1 }),
    address_with_token: fc.subarray(["poisoning", "token-security", "classification"] as const, { minLength: 1 }),
  })
  .map(({ is_poisoning, mimics_user, is_honeypot, hidden_owner, address, address_with_token }) => ({
    ...defaultTable,
    required_checks: { ...defaultTable.required_checks, address, address_with_token },
    findings: {
      ...defaultTable.findings,
      poisoning: { ...defaultTable.findings.poisoning, is_poisoning, mimics_user },
      "token-security": { ...defaultTable.findings["token-security"], is_honeypot, hidden_owner },
    },
  }));
