import { describe, expect, test } from "vitest";
import { isRaised, tokenSecurityRule } from "../../../../../../src/worker/decide/findings/token/token-security.ts";
import { defaultPolicy } from "../../../../../fakes/events.ts";
import { clean, subject } from "../../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const find = (data: unknown) => tokenSecurityRule(data, { subject, table });

const rows = [
  ["is_honeypot", "security_risks", "BLOCK"],
  ["dev_malicious", "privileges", "BLOCK"],
  ["hidden_owner", "security_risks", "WARN"],
  ["self_destruct", "security_risks", "WARN"],
  ["unlimited_mintable", "security_risks", "WARN"],
  ["transfer_pausable", "transfer_restrictions", "INFO"],
  ["transfer_blacklist", "transfer_restrictions", "INFO"],
  ["is_anti_whale", "transfer_restrictions", "INFO"],
] as const;
const pairs = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => [a, b] as const));

/** Clean evidence with these flags raised. */
function raised(...flags: readonly (typeof rows)[number][]) {
  const data = structuredClone<Record<string, unknown>>(clean.tokenSecurity);
  for (const [flag, group] of flags) data[group] = { ...Object(data[group]), [flag]: "1" };
  return data;
}

test("an answer without raised flags has no finding", () => {
  expect(find(clean.tokenSecurity)).toEqual([]);
});

test.each(rows)("%s alone is found at its path, with its severity", (flag, group, severity) => {
  expect(find(raised([flag, group, severity] as (typeof rows)[number]))).toEqual([
    { finding: flag, severity, detail: `${group}.${flag} is '1'` },
  ]);
});

test.each(pairs)("%s and %s are both found", (a, b) => {
  expect(find(raised(a, b))?.map(({ finding, severity }) => [finding, severity])).toEqual([
    [a[0], a[2]],
    [b[0], b[2]],
  ]);
});

test("all flags are found together", () => {
  expect(find(raised(...rows))?.map(({ finding }) => finding)).toEqual(rows.map(([flag]) => flag));
});

test("flags that describe a token without accusing it are notes", () => {
  const basic = { ...clean.tokenSecurity.basic_info, is_mintable: "1", is_in_dex: "0", verified: "0" };
  const data = { ...clean.tokenSecurity, basic_info: basic };

  expect(find(data)).toEqual([
    { finding: "is_mintable", severity: "INFO", detail: "basic_info.is_mintable is '1'" },
    { finding: "not_verified", severity: "INFO", detail: "basic_info.verified is '0'" },
    { finding: "not_in_dex", severity: "INFO", detail: "basic_info.is_in_dex is '0'" },
  ]);
  const unknown = ["basic_info.is_mintable", "basic_info.verified", "basic_info.is_in_dex"];
  expect(find({ ...data, basic_info: { ...basic, is_mintable: "0" }, unknown })).toEqual([]);
});

describe("a tax of a service with an unknown unit", () => {
  const taxed = (sell_tax: string, read_by?: object) => ({
    ...clean.tokenSecurity,
    trade_analysis: { ...clean.tokenSecurity.trade_analysis, sell_tax },
    ...(read_by === undefined ? {} : { read_by }),
  });
  const severities = (data: unknown) => find(data)?.map(({ finding, severity }) => `${finding} ${severity}`);

  test.each([
    ["0.99", ["tax_extreme UNKNOWN"]],
    ["1", ["tax_extreme UNKNOWN"]],
    ["0", []],
    ["1.5", []],
    ["99", ["tax_extreme BLOCK"]],
  ])("a tax of %s", (tax, expected) => {
    expect(severities(taxed(tax))).toEqual(expected);
  });

  test("a tax is read as the operator says, and as percent for Weir's own service", () => {
    expect(severities(taxed("0.99", { taxes: "fraction" }))).toEqual(["tax_extreme BLOCK"]);
    expect(severities(taxed("0.07", { taxes: "fraction" }))).toEqual([]);
    expect(severities(taxed("0.99", { taxes: "percent" }))).toEqual([]);
    expect(severities({ ...taxed("0.99"), unknown: [] })).toEqual([]);
    expect(severities({ ...taxed("0.99"), unknown: [], adapter: "vendor" })).toEqual(["tax_extreme UNKNOWN"]);
  });
});

describe("an answer without a result", () => {
  const emptied = { overall_risk_level: "", overall_score: "" };

  test.each([
    ["", ""],
    [" ", ""],
    ["Unknown", ""],
    ["unknown", "0"],
  ])("an answer with risk level %j and score %j is UNKNOWN", (overall_risk_level, overall_score) => {
    expect(find({ ...clean.tokenSecurity, overall_risk_level, overall_score })).toEqual([
      {
        finding: "level_unknown",
        severity: "UNKNOWN",
        detail: `the service has no overall result: overall_risk_level is '${overall_risk_level}', overall_score is '${overall_score}'`,
      },
    ]);
  });

  test("an answer with only the level No Obvious Risk has a result", () => {
    const said = { overall_risk_level: "No Obvious Risk", overall_score: "" };
    expect(find({ ...clean.tokenSecurity, ...said })).toEqual([]);
  });

  test("an answer that names its unknown fields is read by the policy", () => {
    const unknown = ["transfer_restrictions.is_anti_whale"];
    expect(find({ ...clean.tokenSecurity, ...emptied, unknown })).toMatchObject([
      { finding: "is_anti_whale", severity: "INFO" },
    ]);
    expect(find({ ...clean.tokenSecurity, ...emptied, unknown: [] })).toMatchObject([{ finding: "level_unknown" }]);
    expect(find({ ...clean.tokenSecurity, overall_risk_level: "Unknown", unknown })).toMatchObject([
      { finding: "is_anti_whale" },
      { finding: "level_unknown", severity: "UNKNOWN" },
    ]);
  });

  test("an answer with empty flags cannot be read", () => {
    const flags = Object.fromEntries(rows.map(([flag, group]) => [group, { [flag]: "" }]));
    expect(find({ ...clean.tokenSecurity, ...emptied, ...flags })).toBeUndefined();
  });

  test("an answer without a result for one of several tokens names the token", () => {
    const other = { ...clean.tokenSecurity, ...emptied, address: "eth:0xb" };
    expect(find({ ...clean.tokenSecurity, others: [other] })).toMatchObject([
      { finding: "level_unknown", detail: expect.stringContaining("no overall result of eth:0xb:") },
    ]);
  });
});

describe("an answer about an address without a token", () => {
  const blank = {
    ...clean.tokenSecurity,
    address_type: "",
    basic_info: { ...clean.tokenSecurity.basic_info, token_name: "", token_symbol: "", token_decimals: "" },
  };
  const unclear = (detail: string) => [{ finding: "level_unknown", severity: "UNKNOWN", detail }];

  test.each([
    ...["EOA", "eoa", "EOA (no code)", "Externally Owned Account", "wallet", "Empty", "not_a_token", "Unknown"],
    ...["non-contract", "no contract", "undeployed", "self-destructed", "null", "N/A", "no code"],
  ])("an answer of type %j is UNKNOWN, although every flag is '0' and its level is harmless", (address_type) => {
    const detail = `address_type is '${address_type}': the address holds no token`;
    expect(find({ ...clean.tokenSecurity, address_type })).toEqual(unclear(detail));
  });

  test("an answer without a name and figures is UNKNOWN, and with one of these it is read normally", () => {
    const detail =
      "the answer has no name, symbol, decimals, holders, age, owner or tax: the address may hold no token";

    expect(find(blank)).toEqual(unclear(detail));
    expect(find({ ...blank, basic_info: { ...blank.basic_info, token_decimals: "18" } })).toEqual([]);
    expect(find({ ...blank, trade_analysis: { sell_tax: "3", transfer_tax: "" } })).toEqual([]);
    expect(find({ ...blank, basic_info: { ...blank.basic_info, token_symbol: "0" } })).toEqual(unclear(detail));
  });

  test("an answer with zeros and dashes instead of figures is UNKNOWN as well", () => {
    const zeros = {
      ...blank,
      basic_info: { ...blank.basic_info, token_name: "N/A", token_symbol: "-", token_decimals: "0" },
      privileges: { ...blank.privileges, owner_address: `0x${"0".repeat(40)}` },
      trade_analysis: { sell_tax: "0", transfer_tax: "0.0%" },
    };
    expect(find(zeros)?.map(({ finding }) => finding)).toContain("level_unknown");
  });

  test.each(["ERC20", "Token", "ERC-20", "NFT", "Nontransferable ERC20", "Contract", ""])(
    "an answer of type %j is about a token",
    (address_type) => {
      expect(find({ ...clean.tokenSecurity, address_type })).toEqual([]);
    },
  );

  test("an answer that names its unknown fields is read by these names", () => {
    expect(find({ ...blank, unknown: ["basic_info.token_name"] })).toEqual([]);
    expect(find({ ...blank, unknown: [], adapter: "vendor" })).toEqual([]);
  });
});

describe("a tax", () => {
  const taxed = (sell_tax: string, transfer_tax: string) => ({
    ...clean.tokenSecurity,
    trade_analysis: { ...clean.tokenSecurity.trade_analysis, sell_tax, transfer_tax },
  });

  test.each([
    ["", ""],
    ["0", "0"],
    ["19.9", "3"],
  ])("taxes of %j and %j do not count", (sell, transfer) => {
    expect(find(taxed(sell, transfer))).toEqual([]);
  });

  test("a tax counts from a fifth on, and as extreme from half on, in a sale and in a transfer", () => {
    expect(find(taxed("85.1", "20"))).toEqual([
      { finding: "tax_extreme", severity: "BLOCK", detail: "trade_analysis.sell_tax is '85.1': 85.1 percent" },
      { finding: "tax_high", severity: "WARN", detail: "trade_analysis.transfer_tax is '20': 20 percent" },
    ]);
    expect(find(taxed("49.99", "50"))?.map(({ finding }) => finding)).toEqual(["tax_high", "tax_extreme"]);
  });

  test.each(["85%", "-1", "1e2", "NaN", " 90", "0x55"])("a tax of %j cannot be read, and is UNKNOWN", (tax) => {
    const detail = `trade_analysis.sell_tax is '${tax}', which is no number`;
    expect(find(taxed(tax, ""))).toEqual([{ finding: "tax_extreme", severity: "UNKNOWN", detail }]);
  });
});

describe("if no row of a tax counts", () => {
  const policyOf = (tax_extreme: "INFO" | "BLOCK", tax_high: "INFO" | "WARN") => ({
    ...table,
    findings: { ...table.findings, "token-security": { ...table.findings["token-security"], tax_extreme, tax_high } },
  });
  const data = { ...clean.tokenSecurity, trade_analysis: { sell_tax: "much", transfer_tax: "" } };
  const severityBy = (by: typeof table) => tokenSecurityRule(data, { subject, table: by })?.[0]?.severity;

  test("an unreadable tax has no effect if no tax row counts, and is UNKNOWN if either row does", () => {
    expect(severityBy(policyOf("INFO", "INFO"))).toBe("INFO");
    expect(severityBy(policyOf("BLOCK", "INFO"))).toBe("UNKNOWN");
    expect(severityBy(policyOf("INFO", "WARN"))).toBe("UNKNOWN");
  });
});

describe("an answer counts as raised", () => {
  const taxed = (sell_tax: string, transfer_tax = "") => ({
    ...clean.tokenSecurity,
    trade_analysis: { sell_tax, transfer_tax },
  });

  test.each(rows)("by %s (%s, %s) alone", (...row) => {
    expect(isRaised(raised(row as unknown as (typeof rows)[number]))).toBe(true);
  });

  test("by a tax that counts, in a sale or a transfer", () => {
    expect([isRaised(taxed("20")), isRaised(taxed("", "50"))]).toEqual([true, true]);
    expect([isRaised(taxed("19.9", "3")), isRaised(taxed("much"))]).toEqual([false, false]);
  });

  test("by nothing else", () => {
    expect([isRaised(clean.tokenSecurity), isRaised({}), isRaised(undefined)]).toEqual([false, false, false]);
  });
});

describe("a flag without evidence", () => {
  test.each(rows)(
    "%s (%s, %s) is UNKNOWN if it would have counted, named by its path or its name",
    (flag, group, severity) => {
      const expected = {
        finding: flag,
        severity: severity === "INFO" ? "INFO" : "UNKNOWN",
        detail: `the service has no evidence on ${group}.${flag}`,
      };

      expect(find({ ...clean.tokenSecurity, unknown: [`${group}.${flag}`] })).toEqual([expected]);
      expect(find({ ...clean.tokenSecurity, unknown: [flag] })).toEqual([expected]);
    },
  );

  test.each(rows)("%s (%s) counts as raised although it is named as unknown", (flag, group, severity) => {
    const data = { ...raised([flag, group, severity] as (typeof rows)[number]), unknown: [`${group}.${flag}`] };

    expect(find(data)).toEqual([{ finding: flag, severity, detail: `${group}.${flag} is '1'` }]);
  });

  test("unknown fields that no decision reads have no effect", () => {
    expect(find({ ...clean.tokenSecurity, unknown: ["trade_analysis.sell_tax", "basic_info.verified"] })).toEqual([]);
  });

  test("unknown fields that are no list cannot be read", () => {
    expect(find({ ...clean.tokenSecurity, unknown: "security_risks.is_honeypot" })).toBeUndefined();
    expect(find({ ...clean.tokenSecurity, unknown: [1] })).toBeUndefined();
  });
});

test.each(rows)("without %s (%s) the evidence cannot be read", (flag, group) => {
  const { [flag]: _dropped, ...rest } = Object(clean.tokenSecurity[group]);

  expect(find({ ...clean.tokenSecurity, [group]: rest })).toBeUndefined();
  expect(find({ ...clean.tokenSecurity, [group]: { ...rest, [flag]: "" } })).toBeUndefined();
  expect(find({ ...clean.tokenSecurity, [group]: { ...rest, [flag]: true } })).toBeUndefined();
});

describe("several tokens", () => {
  const address = "eth:0x00000000000000000000000000000000000000aa";
  const other = { ...raised(rows[0]), address };
  const whose = `of ${clean.tokenSecurity.address}`;

  test("each token is judged, and each finding names its token", () => {
    expect(find({ ...raised(rows[2]), others: [other] })).toEqual([
      { finding: "hidden_owner", severity: "WARN", detail: `security_risks.hidden_owner ${whose} is '1'` },
      { finding: "is_honeypot", severity: "BLOCK", detail: `security_risks.is_honeypot of ${address} is '1'` },
    ]);
    const unknown = ["security_risks.is_honeypot"];
    expect(find({ ...clean.tokenSecurity, others: [{ ...clean.tokenSecurity, address, unknown }] })).toEqual([
      {
        finding: "is_honeypot",
        severity: "UNKNOWN",
        detail: `the service has no evidence on security_risks.is_honeypot of ${address}`,
      },
    ]);
  });

  test("a token without an answer is UNKNOWN, beside the findings of the others", () => {
    const unanswered = [{ token: "0xbb", code: "SERVICE_UNAVAILABLE", detail: "the service answered 503" }];

    expect(find({ ...raised(rows[2]), others: [], unanswered })).toEqual([
      { finding: "hidden_owner", severity: "WARN", detail: `security_risks.hidden_owner ${whose} is '1'` },
      { finding: "SERVICE_UNAVAILABLE", severity: "UNKNOWN", detail: "0xbb: the service answered 503" },
    ]);
  });

  test("one unreadable token makes the whole evidence unreadable", () => {
    expect(find({ ...clean.tokenSecurity, others: [{ address }] })).toBeUndefined();
    expect(find({ ...clean.tokenSecurity, unanswered: [{}] })).toBeUndefined();
  });
});
