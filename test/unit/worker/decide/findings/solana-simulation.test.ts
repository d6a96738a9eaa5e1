import { describe, expect, test } from "vitest";
import { simulationRule } from "../../../../../src/worker/decide/findings/solana-simulation.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { clean, subject } from "../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const find = (data: unknown) => simulationRule(data, { subject, table });

const risk = (address: string, level: unknown) => ({ address, risk_level: level });
const result = (...risks: readonly unknown[]) => ({ error: null, involved_addresses_risks: risks });
/** An answer of Weir's own service, which always has findings. */
const simulated = (...results: readonly object[]) => ({
  ...clean.solana,
  results: results.map((each) => ({ findings: [], ...each })),
});
const failed = { result_code: "000000001", result_description: "simulation failed", error_data: "x" };

test.each([
  [-1, "risk_unknown", "INFO", "unknown to the service"],
  [2, "risk_medium", "WARN", "increasing risk"],
  [3, "risk_medium", "WARN", "increasing risk"],
  [4, "risk_high", "BLOCK", "high risk"],
  [5, "risk_high", "BLOCK", "high risk"],
])("risk level %i is %s: %s", (level, finding, severity, says) => {
  expect(find(simulated(result(risk("abc", level))))).toEqual([
    { finding, severity, detail: `abc has risk level ${level}: ${says}` },
  ]);
});

test.each([0, 1])("risk level %i has no finding", (level) => {
  expect(find(simulated(result(risk("abc", level))))).toEqual([]);
});

test.each([-2, 6, 2.5, "4", null, undefined])("risk level %j cannot be read", (level) => {
  expect(find(simulated(result(risk("abc", level))))).toBeUndefined();
});

test("every account of every result is read", () => {
  const found = find(simulated(result(risk("a", 0), risk("b", 3)), result(risk("c", 5), risk("d", -1))));

  expect(found?.map(({ finding, detail }) => [finding, detail.split(" ")[0]])).toEqual([
    ["risk_medium", "b"],
    ["risk_high", "c"],
    ["risk_unknown", "d"],
  ]);
});

test("each level has the severity of its own row", () => {
  const rows = {
    ...table.findings["solana-simulation"],
    simulation_failed: "BLOCK",
    risk_high: "INFO",
    risk_medium: "BLOCK",
    risk_unknown: "UNKNOWN",
    durable_nonce: "BLOCK",
    other_finding: "INFO",
  } as const;
  const strict = { ...table, findings: { ...table.findings, "solana-simulation": rows } };
  const data = simulated(result(risk("a", 5), risk("b", 2), risk("c", -1)));

  const found = simulationRule(data, { subject, table: strict }) ?? [];
  const [failure] = simulationRule({ ...data, exec_summary: failed }, { subject, table: strict }) ?? [];

  expect(found.map(({ severity }) => severity)).toEqual(["INFO", "BLOCK", "UNKNOWN"]);
  expect(failure?.severity).toBe("BLOCK");
});

describe("a failed simulation", () => {
  test("the failure is read from the summary", () => {
    expect(find({ ...clean.solana, exec_summary: failed })).toEqual([
      { finding: "simulation_failed", severity: "WARN", detail: "the simulation failed: simulation failed" },
    ]);
  });

  test.each(["", "0", "00000000", "0000000000", "OK"])("any result code except nine zeros is a failure: %j", (code) => {
    const data = { ...clean.solana, exec_summary: { ...clean.solana.exec_summary, result_code: code } };

    expect(find(data)?.map(({ finding }) => finding)).toEqual(["simulation_failed"]);
  });

  test("the failure is read from any result, even if the summary says otherwise", () => {
    expect(find(simulated(result(risk("a", 0)), { error: "InsufficientFundsForRent" }))).toEqual([
      {
        finding: "simulation_failed",
        severity: "WARN",
        detail: "the simulation failed: InsufficientFundsForRent",
      },
    ]);
  });

  test("an empty error text is a failure, too", () => {
    expect(find(simulated({ ...result(risk("a", 0)), error: "" }))?.[0]?.finding).toBe("simulation_failed");
  });

  test("a failure does not hide the high risk of an account in it or beside it", () => {
    const beside = simulated(result(risk("a", 5)), { error: "AccountNotFound" });
    const inside = {
      exec_summary: failed,
      results: [{ ...result(risk("b", 4)), error: "AccountNotFound", findings: [] }],
    };

    expect(find(beside)?.map(({ finding, severity }) => [finding, severity])).toEqual([
      ["simulation_failed", "WARN"],
      ["risk_high", "BLOCK"],
    ]);
    expect(find(inside)?.map(({ severity }) => severity)).toContain("BLOCK");
  });
});

describe("an answer without risk levels is unclear", () => {
  const unclear = [{ finding: "risks_missing", severity: "UNKNOWN", detail: "the answer holds no risk levels" }];

  test("when a result omits them", () => {
    expect(find(simulated(result(risk("a", 0)), { error: null }))).toEqual(unclear);
  });

  test("when there is no result at all", () => {
    expect(find(simulated())).toEqual(unclear);
  });

  test("when another result failed", () => {
    expect(find(simulated({ error: "AccountNotFound" }, { error: null }))?.map(({ finding }) => finding)).toEqual([
      "simulation_failed",
      "risks_missing",
    ]);
  });

  test("except when every simulation failed", () => {
    expect(find({ exec_summary: failed, results: [] })?.map(({ severity }) => severity)).toEqual(["WARN"]);
    expect(
      find({ exec_summary: failed, results: [{ error: "x", findings: [] }] })?.map(({ severity }) => severity),
    ).toEqual(["WARN"]);
  });

  test("and a high risk beside it still blocks", () => {
    expect(find(simulated({ error: null }, result(risk("a", 5))))?.map(({ severity }) => severity)).toEqual([
      "UNKNOWN",
      "BLOCK",
    ]);
  });
});

test.each([
  ["nothing", undefined],
  ["no summary", { results: [] }],
  ["no results", { exec_summary: clean.solana.exec_summary }],
  ["a summary without a code", { ...clean.solana, exec_summary: { result_description: "", error_data: null } }],
  ["a code that is a number", { ...clean.solana, exec_summary: { ...clean.solana.exec_summary, result_code: 0 } }],
  ["an error that is no text", simulated({ error: { InstructionError: [0, "x"] } })],
  ["risks that are no list", simulated({ error: null, involved_addresses_risks: {} })],
])("evidence with %s cannot be read", (_name, data) => {
  expect(find(data)).toBeUndefined();
});

describe("findings, an extra of Weir's own service", () => {
  const finding = (name: string, description = "it does") => ({ name, description });
  const withFindings = (...findings: readonly unknown[]) => simulated({ ...result(), findings });

  test.each([
    ["account_owner_changed", "BLOCK"],
    ["durable_nonce", "WARN"],
    ["lookup_table_unresolved", "UNKNOWN"],
    ["program_unknown", "WARN"],
    ["instruction_unknown", "UNKNOWN"],
    ["account_for_another", "WARN"],
  ])("%s is %s", (name, severity) => {
    expect(find(withFindings(finding(name)))).toEqual([{ finding: name, severity, detail: "it does" }]);
  });

  test("a finding without a row in the policy is unknown", () => {
    expect(find(withFindings(finding("later_finding")))).toEqual([
      { finding: "other_finding", severity: "UNKNOWN", detail: "later_finding: it does" },
    ]);
  });

  test("findings of a failed transaction count beside its failure", () => {
    const data = simulated({ error: "AccountNotFound", findings: [finding("stake_authority_changed")] });

    expect(find(data)?.map((each) => [each.finding, each.severity])).toEqual([
      ["simulation_failed", "WARN"],
      ["stake_authority_changed", "BLOCK"],
    ]);
  });

  test.each([[[{ name: "durable_nonce" }]], [[{ description: "x" }]], ["durable_nonce"]])(
    "the findings %j cannot be read",
    (findings) => {
      expect(find(simulated({ ...result(), findings }))).toBeUndefined();
    },
  );
});

describe("a service without findings", () => {
  const bare = { error: null, involved_addresses_risks: [] };

  test("such a service shows no rights if the worker has not judged either", () => {
    expect(find({ ...clean.solana, results: [bare] })?.map((each) => [each.finding, each.severity])).toEqual([
      ["rights_not_shown", "UNKNOWN"],
    ]);
    expect(find({ ...clean.solana, results: [{ ...bare, findings: [] }, bare] })).toHaveLength(1);
  });

  test("the worker's descriptions are quoted in full, and a service's up to 80 characters", () => {
    const long = "it calls the program ".padEnd(500, "x");
    const [own] =
      find({ ...clean.solana, results: [bare], worker_findings: [{ name: "rights_not_shown", description: long }] }) ??
      [];
    expect(own?.detail).toBe(long);
    const results = [{ ...bare, findings: [{ name: "durable_nonce", description: long }] }];
    expect(find({ ...clean.solana, results })?.[0]?.detail).toHaveLength(80);
  });

  test("the service's findings count together with the worker's own", () => {
    const worker_findings = [
      { name: "several_assets_leave", description: "two" },
      { name: "sequence_not_followed", description: "each on its own" },
      { name: "rights_not_shown", description: "a program" },
    ];

    expect(find({ ...clean.solana, results: [bare], worker_findings: [] })).toEqual([]);
    expect(find({ ...clean.solana, results: [bare], worker_findings })).toEqual([
      { finding: "several_assets_leave", severity: "BLOCK", detail: "two" },
      { finding: "sequence_not_followed", severity: "UNKNOWN", detail: "each on its own" },
      { finding: "rights_not_shown", severity: "UNKNOWN", detail: "a program" },
    ]);
  });
});

describe("an address that is missing in the service's database", () => {
  const program = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
  const system = "11111111111111111111111111111111";
  const token = (token_address: string, ...change_list: readonly object[]) => ({
    token_address,
    tokenName: "",
    symbol: "",
    divisor: "6",
    tokenPriceUSD: "",
    change_list,
  });
  const made = (address: string, begin_value: string) => ({
    address,
    amount_change: "",
    begin_value,
    delta_value: "",
    end_value: "",
    value_usd: "",
  });
  const nameOf = (address: string, more: object) =>
    find(simulated({ ...result(risk(address, -1)), ...more }))?.map((each) => [each.finding, each.severity]);

  test.each([
    ["a program that is called", program, { called_addresses: [program] }, "program_risk_unknown", "WARN"],
    ["the first program", program, { to: program }, "program_risk_unknown", "WARN"],
    ["a token", "mint", { balance_changes: [token("mint")] }, "token_risk_unknown", "WARN"],
    [
      "a token that had SOL already",
      "mint",
      { balance_changes: [token("native", made("mint", "5")), token("mint")] },
      "token_risk_unknown",
      "WARN",
    ],
    [
      "a token that is made here",
      "mint",
      { balance_changes: [token("native", made("mint", "0")), token("mint")] },
      "risk_unknown",
      "INFO",
    ],
    ["a program of the network", system, { called_addresses: [system] }, "risk_unknown", "INFO"],
    ["a wallet", "friend", { called_addresses: [program] }, "risk_unknown", "INFO"],
    [
      "wrapped SOL",
      "So11111111111111111111111111111111111111112",
      { balance_changes: [token("So11111111111111111111111111111111111111112")] },
      "risk_unknown",
      "INFO",
    ],
  ])("%s", (_what, address, more, finding, severity) => {
    expect(nameOf(address, more)).toEqual([[finding, severity]]);
  });
});

describe("a finding that is ordinary for the event", () => {
  const leaves = { name: "several_assets_leave", description: "two assets leave", account: "user" };
  const given = { name: "token_owner_changed", description: "goes to hot", account: "tokens", gains: "hot" };
  const decided = (finding: object, explanation: object) =>
    find({
      ...simulated({ ...result(), findings: [finding] }),
      worker_explanations: [{ ...finding, ...explanation }],
    })?.map(({ finding: name, severity }) => [name, severity]);

  test.each([
    [given, { by: "own_address" }, "to_own_address", "INFO"],
    [{ ...given, name: "durable_nonce" }, { by: "own_nonce" }, "own_durable_nonce", "INFO"],
    [leaves, { by: "small_shares", share_bps: 1_000 }, "small_shares_leave", "INFO"],
    [leaves, { by: "small_shares", share_bps: 1_001 }, "several_assets_leave", "BLOCK"],
    [leaves, { by: "small_shares" }, "several_assets_leave", "BLOCK"],
    [given, { by: "own_address", gains: "another" }, "token_owner_changed", "BLOCK"],
    [given, { by: "own_address", account: "others" }, "token_owner_changed", "BLOCK"],
    [given, { by: "own_address", name: "durable_nonce" }, "token_owner_changed", "BLOCK"],
  ])("%o with %o is %s: %s", (finding, explanation, name, severity) => {
    expect(decided(finding, explanation)).toEqual([[name, severity]]);
  });

  test("keeps the name and the words of the finding, and says why it is ordinary", () => {
    const explanations = [{ name: given.name, account: given.account, gains: given.gains, by: "own_address" }];
    const data = { ...simulated({ ...result(), findings: [given] }), worker_explanations: explanations };

    expect(find(data)?.[0]?.detail).toBe(
      "token_owner_changed: goes to hot; the event names the recipient as the user's own",
    );
  });

  test.each(["to_own_address", "own_durable_nonce", "small_shares_leave"])("no service may send %s itself", (name) => {
    const findings = [{ name, description: "" }];

    expect(find(simulated({ ...result(), findings }))).toMatchObject([
      { finding: "other_finding", severity: "UNKNOWN" },
    ]);
  });

  test("a reason that is unknown makes the evidence unreadable", () => {
    expect(decided(given, { by: "somebody" })).toBeUndefined();
  });
});
