import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import type { Subject } from "../../../../src/messages/verdict.ts";
import type { PolicyTable } from "../../../../src/policy/policy.ts";
import { failed } from "../../../../src/worker/answers/check-entry.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { decideUnder, lackedQuestions } from "../../../../src/worker/decide/decide-under.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";
import { anyChecks, anyTable, defaultTable, subjectOfChecks, verdictOn } from "../../../support/archived-verdicts.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

const requiring = (address: PolicyTable["required_checks"]["address"]): PolicyTable => ({
  ...defaultTable,
  required_checks: { ...defaultTable.required_checks, address },
});

test("under its own policy a verdict keeps its decision", () => {
  fc.assert(
    fc.property(anyChecks, anyTable, (checks, table) => {
      const about = subjectOfChecks(checks);
      if (about.type !== "address") return;
      const { requiredChecks } = plan(about, table, emptyBook);
      const made = checks.filter(({ check }) => requiredChecks.some((each) => each === check));
      const verdict = verdictOn(made, { subject: about, required_checks: [...requiredChecks] }, table);
      // A check that the evidence lacks was UNKNOWN then, and is told apart now.
      const again = decideUnder(verdict, table, table);
      if (again?.lacks.length === 0) expect(again.decision).toBe(verdict.decision);
      else expect(["UNKNOWN", "BLOCK"]).toContain(verdict.decision);
    }),
    propertyRuns(500),
  );
});

test("under another policy the decision is that of screening the same answers anew", () => {
  fc.assert(
    fc.property(anyChecks, anyTable, anyTable, (checks, old, table) => {
      const about = subjectOfChecks(checks);
      if (about.type !== "address") return;
      const then = plan(about, old, emptyBook).requiredChecks;
      const madeThen = checks.filter(({ check }) => then.some((each) => each === check));
      const verdict = verdictOn(madeThen, { subject: about, required_checks: [...then] }, old);
      const now = plan(about, table, emptyBook).requiredChecks;
      const madeNow = madeThen.filter(({ check }) => now.some((each) => each === check));
      const lacks = now.filter((each) => !madeNow.some(({ check }) => check === each));
      const required = now.filter((each) => !lacks.includes(each));

      const again = decide({ subject: about, requiredChecks: required, checks: madeNow }, table);
      expect(decideUnder(verdict, table, old)).toEqual({
        ...again,
        lacks,
        isOpen:
          lacks.length > 0 &&
          !madeNow.some(({ outcome }) => outcome === "ok") &&
          again.reasons.some(({ finding }) => finding === "nothing_checked"),
      });
    }),
    propertyRuns(500),
  );
});

test("a check that the event itself added stays required", () => {
  const checks = [answered("poisoning", { target: clean.target }), failed("classification", "SERVICE_UNAVAILABLE", "")];
  const verdict = verdictOn(checks, { required_checks: ["poisoning", "classification"] });
  expect(decideUnder(verdict, defaultTable, defaultTable)?.decision).toBe("UNKNOWN");
});

test("a check that only the old policy required is left out with its evidence", () => {
  const checks = [answered("poisoning", { target: clean.target }), failed("classification", "SERVICE_UNAVAILABLE", "")];
  const verdict = verdictOn(checks, { required_checks: ["poisoning", "classification"] });
  expect(decideUnder(verdict, defaultTable, requiring(["poisoning", "classification"]))?.decision).toBe("ALLOW");
  // The table of that time is gone, so nothing says that the event did not add the check.
  expect(decideUnder(verdict, defaultTable, undefined)?.decision).toBe("UNKNOWN");
});

test("a check that no service can make settles the decision without a request", () => {
  const tron: Subject = { type: "address", chain_id: "728126428", address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" };
  const verdict = verdictOn([answered("poisoning", { target: clean.target })], { subject: tron });
  const table = requiring(["poisoning", "classification"]);
  const again = decideUnder(verdict, table, defaultTable);
  expect(again).toMatchObject({ decision: "UNKNOWN", lacks: [] });
  expect(lackedQuestions(verdict, again?.lacks ?? [], table)).toEqual([]);
});

test("a missing check is named, and its question is known for an address", () => {
  const verdict = verdictOn([answered("poisoning", { target: clean.target })]);
  const table = requiring(["poisoning", "classification"]);
  const again = decideUnder(verdict, table, defaultTable);
  expect(again).toMatchObject({ decision: "ALLOW", lacks: ["classification"] });
  expect(lackedQuestions(verdict, ["classification"], table)).toMatchObject([
    { check: "classification", address: subject.address },
  ]);
  const transaction: Subject = { type: "transaction", chain_id: "1", transaction_sha256: "0".repeat(64) };
  expect(lackedQuestions(verdictOn([], { subject: transaction }), ["evm-security"], table)).toEqual([]);
});

test("a verdict without its evidence is not decided", () => {
  const entry = { ...answered("poisoning", undefined), reduced: { bytes: 9, sha256: "0".repeat(64) } };
  expect(decideUnder(verdictOn([entry], { reduced: ["evidence"] }), defaultTable, undefined)).toBeUndefined();
});
