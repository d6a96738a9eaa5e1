import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { redecide } from "../../../../src/cli/audit/redecide.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { readOldPolicy } from "../../../../src/policy/old-policy.ts";
import { type PolicyChoice, readPolicy } from "../../../../src/policy/policy.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";

const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const file = await readFile(bundled.policy, "utf8");
const choice = readPolicy(JSON.parse(file));
const now = choice(undefined);
/** The policy before a change. */
const before: PolicyChoice = () => ({ ...now, sha256: "before" });

/** A required check has no answer: UNKNOWN under any policy. */
const verdict = (sha256: string): Verdict => ({
  schema: "weir.verdict/1",
  verdict_id: "0".repeat(64),
  revision: 0,
  event_id: "event",
  tenant: "",
  decision: "UNKNOWN",
  reasons: [],
  subject: { type: "address", chain_id: "1", address: `0x${"0".repeat(40)}` },
  required_checks: ["poisoning"],
  checks: [],
  policy: { id: "default", sha256 },
  source: { topic: "events", partition: 0, offset: "0" },
  decided_at: "2026-01-01T00:00:00.000Z",
  software: "weir/test",
});

/** Its address was not checked. */
const unknown = { decision: "UNKNOWN", missing: ["poisoning"] };

test("a verdict is decided again by the policy that decided it, whichever file has that", () => {
  expect(redecide(verdict(now.sha256), [choice])).toEqual(unknown);
  expect(redecide(verdict("before"), [choice])).toBeUndefined();
  expect(redecide(verdict("before"), [choice, before])).toEqual(unknown);
  expect(redecide(verdict(now.sha256), [])).toBeUndefined();
});

test("a verdict without its evidence or subject is not decided again", () => {
  const whole = { ...verdict(now.sha256), checks: [answered("poisoning", { target: clean.target })] };
  const reduced = { bytes: 1_000_000, sha256: "00" };
  const [{ data, ...entry }] = whole.checks as [Verdict["checks"][number]];
  const cannot = { decision: undefined, missing: [] };

  expect(redecide({ ...whole, checks: [{ ...entry, reduced }], reduced: ["evidence"] }, [choice])).toEqual(cannot);
  expect(redecide({ ...whole, reduced: ["reasons", "ref", "subject"] }, [choice])).toEqual(cannot);
  expect(redecide({ ...whole, checks: [{ ...entry, data, reduced }], reduced: ["ref"] }, [choice])).toEqual(
    redecide(whole, [choice]),
  );
});

test("a verdict with fewer checks than its policy requires is no ALLOW, and lists the missing checks", () => {
  const honest = { ...verdict(now.sha256), decision: "ALLOW" as const, subject: { ...subject, token_address: TOKEN } };
  const checks = [answered("poisoning", { target: clean.target, token: clean.token })];
  const edited = { ...honest, required_checks: ["poisoning" as const], checks };
  expect(redecide(edited, [choice])).toEqual({ decision: "UNKNOWN", missing: ["token-security"] });
  const whole = [...checks, answered("token-security", clean.tokenSecurity)];
  expect(redecide({ ...honest, checks: whole }, [choice])).toEqual({ decision: "ALLOW", missing: [] });
  expect(redecide({ ...edited, checks: whole }, [choice])).toEqual({ decision: "ALLOW", missing: [] });
});

test("an earlier verdict keeps its decision after the policy got a new row, and a new verdict gets another", () => {
  const old = JSON.parse(file);
  for (const table of Object.values<{ findings: Record<string, object> }>(old.tables))
    Reflect.deleteProperty(table.findings["tron-security"] ?? {}, "not_analysed");
  const oldChoice = readOldPolicy(old);
  const security = {
    overall_score: 1,
    overall_risk_level: "Caution",
    recommended_action: "ALLOW",
    risk_details: [{ name: "unknown_call", description: "cannot be told" }],
    not_analysed: ["execution", "call"],
  };
  const archived = (sha256: string): Verdict => ({
    ...verdict(sha256),
    subject: { type: "transaction", chain_id: "tron", transaction_sha256: "0".repeat(64) },
    required_checks: ["tron-security", "poisoning", "tron-integrity"],
    checks: [
      answered("tron-security", { security }),
      answered("poisoning", { target: clean.target }),
      answered("tron-integrity", clean.tronIntegrity),
    ],
  });

  expect(redecide(archived(oldChoice(undefined).sha256), [choice, oldChoice])).toEqual({
    decision: "ALLOW",
    missing: [],
  });
  expect(redecide(archived(now.sha256), [choice, oldChoice])).toEqual({ decision: "UNKNOWN", missing: [] });
});
