import { expect, test } from "vitest";
import policyFile from "../../../data/policy.json" with { type: "json" };
import { ConfigInvalidError } from "../../../src/kernel/errors.ts";
import { sha256 } from "../../../src/kernel/hash.ts";
import { canonicalJson } from "../../../src/kernel/json.ts";
import { readOldPolicy } from "../../../src/policy/old-policy.ts";
import { readPolicy, strictestOf } from "../../../src/policy/policy.ts";

/** The shipped file, before EVM transactions were asked about. */
function old() {
  const file = JSON.parse(JSON.stringify(policyFile));
  for (const table of Object.values<{ required_checks: object; findings: object }>(file.tables)) {
    Reflect.deleteProperty(table.required_checks, "evm_transaction_unclear");
    Reflect.deleteProperty(table.findings, "evm-security");
  }
  file.tables.strict.required_checks.evm_transaction = ["poisoning"];
  return file;
}

test("an old file keeps its hash, and a check that it lacks is not required and is UNKNOWN", () => {
  const { tables } = old();

  const { id, sha256: hash, table } = readOldPolicy(old())(undefined);

  expect([id, hash]).toEqual(["default", sha256(canonicalJson(tables.default))]);
  expect(table.required_checks.evm_transaction_unclear).toEqual([]);
  expect(table.findings["evm-security"]).toEqual({
    action_block: "UNKNOWN",
    action_warn: "UNKNOWN",
    not_analysed: "UNKNOWN",
    executed_clean: "UNKNOWN",
  });
  expect(table.findings["tron-security"]).toEqual(tables.default.findings["tron-security"]);
});

test("the strictest of its tables, which decides for unknown tenants, keeps its hash too", () => {
  const { tables } = old();

  const { id, sha256: hash } = readOldPolicy(old())("nobody");

  // The second of these two tables is the stricter one in every row.
  expect([id, hash]).toEqual(["strictest", sha256(canonicalJson(tables.strict))]);
});

test("a current file is read as usual", () => {
  for (const tenant of [undefined, "nobody"])
    expect(readOldPolicy(policyFile)(tenant)).toEqual(readPolicy(policyFile)(tenant));
  expect(strictestOf(Object.values(policyFile.tables) as never)).toEqual(policyFile.tables.strict);
});

test("a row that an old file lacks decides nothing, unless another row covered all other findings", () => {
  const file = JSON.parse(JSON.stringify(policyFile));
  for (const table of Object.values<{ findings: Record<string, object> }>(file.tables)) {
    Reflect.deleteProperty(table.findings["tron-security"] ?? {}, "not_analysed");
    Reflect.deleteProperty(table.findings["token-security"] ?? {}, "tax_extreme");
    Reflect.deleteProperty(table.findings["solana-simulation"] ?? {}, "token_owner_changed");
  }
  file.tables.default.findings["solana-simulation"].other_finding = "WARN";

  const { findings } = readOldPolicy(file)(undefined).table;

  expect(findings["tron-security"]).toEqual({ action_block: "BLOCK", action_warn: "WARN", not_analysed: "INFO" });
  expect(findings["token-security"].tax_extreme).toBe("INFO");
  expect(findings["solana-simulation"].token_owner_changed).toBe("WARN");
  expect(() => readPolicy(file)).toThrow(/tron-security\.not_analysed/);
});

test("an unknown level had one row, and the worker had no findings of its own", () => {
  const file = JSON.parse(JSON.stringify(policyFile));
  const rows = ["program_risk_unknown", "token_risk_unknown", "rights_not_shown", "sequence_not_followed"];
  for (const table of Object.values<{ findings: Record<string, object> }>(file.tables)) {
    for (const row of rows) Reflect.deleteProperty(table.findings["solana-simulation"] ?? {}, row);
  }
  file.tables.default.findings["solana-simulation"].risk_unknown = "BLOCK";

  const { findings } = readOldPolicy(file)(undefined).table;

  expect(rows.map((row) => Reflect.get(findings["solana-simulation"], row))).toEqual([
    "BLOCK",
    "BLOCK",
    "INFO",
    "INFO",
  ]);
});

test("an old file decides nothing new, and a row that never existed is refused", () => {
  expect(() => readPolicy(old())).toThrow(ConfigInvalidError);
  expect(() => readOldPolicy({ ...old(), comment: "x" })).toThrow(ConfigInvalidError);
  const misspelled = old();
  misspelled.tables.default.findings.poisoning.is_poisonings = "BLOCK";
  expect(() => readOldPolicy(misspelled)).toThrow("is_poisonings");
  expect(() => readOldPolicy({})).toThrow(ConfigInvalidError);
  expect(() => readOldPolicy(null)).toThrow(ConfigInvalidError);
});

test("an old file without limits excuses no share", () => {
  const file = JSON.parse(JSON.stringify(policyFile));
  for (const table of Object.values<{ limits?: object }>(file.tables)) Reflect.deleteProperty(table, "limits");

  expect(readOldPolicy(file)(undefined).table.limits["solana-simulation"].small_share_percent).toBe(0);
  expect(() => readPolicy(file)).toThrow(/limits/);
});
