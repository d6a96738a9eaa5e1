import { expect, test } from "vitest";
import policyFile from "../../../../data/policy.json" with { type: "json" };
import type { CheckEntry, Subject } from "../../../../src/messages/verdict.ts";
import { PolicyTable } from "../../../../src/policy/policy.ts";
import { failed, notApplicable } from "../../../../src/worker/answers/check-entry.ts";
import { missingChecks } from "../../../../src/worker/decide/missing-checks.ts";
import { subject } from "../../../fakes/evidence.ts";

const table = PolicyTable.parse(policyFile.tables.default);
const strict = PolicyTable.parse(policyFile.tables.strict);
const owed = (of: Subject, checks: readonly CheckEntry[] = [], by = table) =>
  missingChecks({ subject: of, checks: [...checks] }, by);
const token_address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const transaction = (chain_id: string, address?: string): Subject => ({
  type: "transaction",
  chain_id,
  transaction_sha256: "0".repeat(64),
  ...(address === undefined ? {} : { address }),
});
const TRON = "728126428";

test("an address needs the checks of its plan, whatever the verdict says", () => {
  expect(owed(subject)).toEqual(["poisoning"]);
  expect(owed({ ...subject, token_address })).toEqual(["poisoning", "token-security"]);
  expect(owed({ ...subject, token_address }, [notApplicable("token-security", "")])).toEqual([
    "poisoning",
    "token-security",
  ]);
  // Only EVM chains have the check, so it is not missing on TRON.
  const tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
  expect(owed({ type: "address", chain_id: TRON, address: tron, token_address: tron })).toEqual(["poisoning"]);
});

test("a transaction needs the checks of every transaction of its family", () => {
  expect(owed(transaction("1"))).toEqual(["poisoning"]);
  expect(owed(transaction("1"), [], strict)).toEqual(["poisoning", "evm-security"]);
  expect(owed(transaction(TRON))).toEqual(["poisoning", "tron-security", "tron-integrity"]);
});

test("a check may be not applicable only if the subject names nothing that it could be about", () => {
  const passed = [notApplicable("poisoning", ""), notApplicable("tron-security", "")];
  expect(owed(transaction(TRON), passed)).toEqual(["tron-security", "tron-integrity"]);
  expect(owed(transaction(TRON, "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), passed)).toEqual([
    "poisoning",
    "tron-security",
    "tron-integrity",
  ]);
});

test("a refused event is UNKNOWN, and no check is missing", () => {
  const refused = [failed("event", "CHAIN_UNSUPPORTED", "")];
  expect(owed(subject, refused)).toEqual([]);
  expect(owed({ type: "unreadable", record_sha256: "" })).toEqual([]);
  expect(owed({ ...subject, chain_id: "no chain" })).toEqual([]);
});
