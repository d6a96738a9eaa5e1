import { describe, expect, test } from "vitest";
import { type CheckEntry, failuresIn } from "../../../../src/messages/verdict.ts";
import { failed } from "../../../../src/worker/answers/check-entry.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { missingChecks } from "../../../../src/worker/decide/missing-checks.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const subject = { type: "transaction", chain_id: "1", transaction_sha256: "0".repeat(64) } as const;
const undecoded = failed("event", "SERVICE_CALL_UNDECODED", "0xaa 0x12345678 no known function");
const poisoning = answered("poisoning", { target: clean.target });
const done = { ended: "done", block: "1", balance_changes: [], rights_given: [] };

const security = (execution: object | undefined, more: object = {}) =>
  answered("evm-security", {
    security: {
      overall_score: 0,
      overall_risk_level: "No Obvious Risk",
      recommended_action: "ALLOW",
      risk_details: [],
      ...more,
    },
    ...(execution === undefined ? {} : { execution }),
  });
const decisionOf = (...checks: readonly CheckEntry[]) =>
  decide({ subject, requiredChecks: ["poisoning", "evm-security"], checks }, table).decision;

describe("an unknown call of a labelled service", () => {
  test("is allowed when the service ran it in full and found nothing", () => {
    const checks = [undecoded, poisoning, security(done)];
    const { decision, reasons } = decide({ subject, requiredChecks: ["poisoning", "evm-security"], checks }, table);

    expect(decision).toBe("ALLOW");
    expect(reasons.map(({ finding }) => finding)).toContain("executed_clean");
    expect(failuresIn({ checks, decision })).toEqual([]);
  });

  test.each([
    ["a service that runs nothing", security(undefined)],
    ["a failed execution", security({ ...done, ended: "failed" })],
    ["an unclear execution", security({ ...done, ended: "unclear" })],
    ["changes that are not shown", security({ ...done, not_shown: 1 })],
    ["logs that were not seen", security(done, { not_analysed: ["logs"] })],
    ["a failed check", failed("evm-security", "SERVICE_UNAVAILABLE", "no answer")],
  ])("stays unknown with %s", (_name, entry) => {
    expect(decisionOf(undecoded, poisoning, entry)).toBe("UNKNOWN");
  });

  test("keeps the decision of a finding", () => {
    const warned = security(done, { overall_score: 3, overall_risk_level: "Medium Risk", recommended_action: "WARN" });
    const blocked = security(done, { overall_score: 4, overall_risk_level: "High Risk", recommended_action: "BLOCK" });

    expect(decisionOf(undecoded, poisoning, warned)).toBe("UNKNOWN");
    expect(decisionOf(undecoded, poisoning, blocked)).toBe("BLOCK");
  });

  test("is not settled for another contract, and not under a policy that does not settle it", () => {
    const other = failed("event", "CALLDATA_UNDECODED", "0xaa 0x12345678 no known function");
    const findings = {
      ...table.findings,
      "evm-security": { ...table.findings["evm-security"], executed_clean: "UNKNOWN" },
    } as const;
    const checks = [undecoded, poisoning, security(done)];

    expect(decisionOf(other, poisoning, security(done))).toBe("UNKNOWN");
    expect(decide({ subject, requiredChecks: [], checks }, { ...table, findings }).decision).toBe("UNKNOWN");
  });

  test("needs the checks of every transaction in an audit", () => {
    expect(missingChecks({ subject, checks: [undecoded, security(done)] }, table)).toContain("poisoning");
  });
});
