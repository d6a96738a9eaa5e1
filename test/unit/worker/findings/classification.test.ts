import { expect, test } from "vitest";
import { classificationRule } from "../../../../src/worker/findings/classification.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { clean, subject } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const find = (label: unknown) =>
  classificationRule({ ...clean.classification, classification: label }, { subject, table });

test.each(["ERC20", "Proxy", "EOA", "Unverified Contract", "verified"])("%s is a classification", (label) => {
  expect(find(label)).toEqual([]);
});

test.each([
  ["", "the service has no classification"],
  ["  ", "the service has no classification"],
  ["Unverified", "classification is Unverified"],
  ["unverified", "classification is unverified"],
  [" UNVERIFIED ", "classification is UNVERIFIED"],
])("%j is not a safe verdict", (label, detail) => {
  expect(find(label)).toEqual([{ finding: "unverified", severity: "WARN", detail }]);
});

test.each([undefined, null, 7, ["ERC20"]])("%j cannot be read", (label) => {
  expect(find(label)).toBeUndefined();
});

test.each([
  [["classification"], "classification"],
  [["classification", "a\u001b[2J"], "classification, a\uFFFD[2J"],
  ["classification", "classification"],
])("a label of which the service says that it has no evidence, by %j, is UNKNOWN", (unknown, names) => {
  const data = { ...clean.classification, classification: "ERC20", unknown };

  expect(classificationRule(data, { subject, table })).toEqual([
    { finding: "unknown", severity: "UNKNOWN", detail: `the service has no evidence on ${names}` },
  ]);
});

test("nothing in the list of what it has no evidence on is nothing", () => {
  const data = { ...clean.classification, classification: "ERC20", unknown: [] };

  expect(classificationRule(data, { subject, table })).toEqual([]);
});

test("it has the severity of its row", () => {
  const strict = { ...table, findings: { ...table.findings, classification: { unverified: "UNKNOWN" } as const } };
  const data = { ...clean.classification, classification: "" };

  expect(classificationRule(data, { subject, table: strict })?.[0]?.severity).toBe("UNKNOWN");
});
