import { describe, expect, test } from "vitest";
import { paintFor } from "../../../../src/cli/verdict-text/paint.ts";
import { verdictLines } from "../../../../src/cli/verdict-text/verdict-lines.ts";
import type { CheckEntry, Reason, Verdict } from "../../../../src/messages/verdict.ts";
import { clean } from "../../../fakes/evidence.ts";

const plain = paintFor({}, {});
const fake = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const entry: CheckEntry = {
  check: "poisoning",
  outcome: "ok",
  requested_at: "2026-01-01T00:00:00.000Z",
  cached: false,
  attempts: 1,
  data: { target: { chain_id: "1", address: fake, ...clean.target } },
};
const noSignal: Reason = {
  check: "poisoning",
  finding: "no_signal",
  severity: "INFO",
  detail: "no configured signal; not a guarantee of safety",
};

function verdictWith(own: Partial<Verdict>): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: "00",
    revision: 0,
    event_id: "a/7",
    tenant: "",
    decision: "ALLOW",
    reasons: [noSignal],
    subject: { type: "address", chain_id: "1", address: fake },
    required_checks: ["poisoning"],
    checks: [entry],
    policy: { id: "default", sha256: "00" },
    source: { file: "a", line: 7 },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
    ...own,
  };
}

test("ALLOW shows its reason and its evidence: the flags and the time of the request", () => {
  expect(verdictLines(verdictWith({ ref: "a deposit" }), plain)).toEqual([
    `ALLOW   line 7   Ethereum ${fake}  a deposit`,
    "          poisoning: no_signal: no configured signal; not a guarantee of safety",
    "          evidence: poisoning asked 2026-01-01T00:00:00.000Z: is_poisoning 0, mimics_user 0, mimics_exchange 0",
  ]);
});

test("the producer's own id is shown, and an id that repeats the position is not", () => {
  const [own] = verdictLines(verdictWith({ event_id: "pay-\u001b7", ref: "a deposit" }), plain);

  expect(own).toBe(`ALLOW   line 7   Ethereum ${fake}  a deposit  (id pay-\uFFFD7)`);
  expect(verdictLines(verdictWith({ event_id: "b/7" }), plain)[0]).toContain("(id b/7)");
});

test("the columns of a flat ref are shown by their names", () => {
  const ref = { desk: "Zürich", amount: 5, note: "a\nb" };

  expect(verdictLines(verdictWith({ ref }), plain)[0]).toBe(
    `ALLOW   line 7   Ethereum ${fake}  desk: Zürich, amount: 5, note: a\uFFFDb`,
  );
});

test("an allowed transaction shows what was read: its receiver, its token, and what its execution moved", () => {
  const data = {
    security: { recommended_action: "ALLOW", overall_risk_level: "No Obvious Risk", overall_score: 0 },
    execution: {
      ended: "done",
      balance_changes: [
        { address: real, standard: "erc20", token_address: fake, delta_value: "-250" },
        { address: real, standard: "native", delta_value: "-1" },
      ],
      rights_given: [],
    },
  };
  const transaction_sha256 = "0".repeat(64);
  const subject = {
    type: "transaction",
    chain_id: "1",
    transaction_sha256,
    address: real,
    token_address: fake,
  } as const;
  const checks: CheckEntry[] = [{ ...entry, check: "evm-security", data }];

  expect(verdictLines(verdictWith({ subject, checks, reasons: [] }), plain)).toEqual([
    `ALLOW   line 7   Ethereum transaction 000000000000…, to ${real}, token ${fake}`,
    `          evidence: evm-security asked 2026-01-01T00:00:00.000Z: recommended_action ALLOW, overall_risk_level No Obvious Risk, overall_score 0, execution done, moved ${real} -250 of ${fake}; ${real} -1 in coins, rights given none`,
  ]);
});

test("text of an event cannot control the terminal", () => {
  const [line] = verdictLines(verdictWith({ ref: "a\u001b[2Jb\nc" }), plain);

  expect(line).toBe(`ALLOW   line 7   Ethereum ${fake}  a\uFFFD[2Jb\uFFFDc`);
});

describe("a text that is too long", () => {
  const shownOf = (detail: string) => {
    const [, line = ""] = verdictLines(
      verdictWith({ decision: "WARN", reasons: [{ ...noSignal, severity: "WARN", detail }] }),
      plain,
    );
    return line.replace("          poisoning: no_signal: ", "");
  };

  test("ends with a whole word", () => {
    expect(shownOf(`${"x".repeat(390)} a word and more`)).toBe(`${"x".repeat(390)} a word …`);
  });

  test("of one word is cut, with a mark", () => {
    expect(shownOf("x".repeat(401))).toBe(`${"x".repeat(400)} …`);
  });

  test("is shown whole up to its limit", () => {
    expect(shownOf(`${"x".repeat(395)} word`)).toBe(`${"x".repeat(395)} word`);
  });
});

test("evidence that took several requests shows their number", () => {
  const [, , evidence] = verdictLines(verdictWith({ checks: [{ ...entry, attempts: 3 }] }), plain);

  expect(evidence).toContain("asked 2026-01-01T00:00:00.000Z (3 requests): is_poisoning 0");
});

describe("a lookalike is shown with the imitated address, with the equal ends marked", () => {
  const reason = (own: Partial<Reason> = {}): Reason => ({
    check: "poisoning",
    finding: "mimics_user",
    severity: "BLOCK",
    detail: "looks like it",
    resembles: real,
    ...own,
  });

  test("of a target", () => {
    expect(verdictLines(verdictWith({ decision: "BLOCK", reasons: [reason()] }), plain)).toEqual([
      `BLOCK   line 7   Ethereum ${fake}`,
      "          poisoning: mimics_user: looks like it",
      `            this      ${fake}`,
      `            imitates  ${real}`,
      "                        ^^^^                              ^^^^^^  4+6 characters equal",
    ]);
  });

  test("of the receiver of a payment", () => {
    const transaction_sha256 = "0".repeat(64);
    const subject = { type: "transaction", chain_id: "1", transaction_sha256, address: fake } as const;

    expect(verdictLines(verdictWith({ decision: "BLOCK", subject, reasons: [reason()] }), plain)).toEqual([
      `BLOCK   line 7   Ethereum transaction 000000000000…, to ${fake}`,
      "          poisoning: mimics_user: looks like it",
      `            this      ${fake}`,
      `            imitates  ${real}`,
      "                        ^^^^                              ^^^^^^  4+6 characters equal",
    ]);
  });

  test("of a token", () => {
    const subject = { type: "address", chain_id: "1", address: real, token_address: fake } as const;
    const lines = verdictLines(
      verdictWith({ decision: "BLOCK", subject, reasons: [reason({ finding: "mimics_top_token" })] }),
      plain,
    );

    expect(lines).toContain(`            this      ${fake}`);
    expect(lines).toContain(`            imitates  ${real}`);
  });

  test("on TRON, without the common prefix of all addresses", () => {
    const subject = { type: "address", chain_id: "tron", address: "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo" } as const;
    const resembles = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";

    expect(
      verdictLines(verdictWith({ decision: "BLOCK", subject, reasons: [reason({ resembles })] }), plain),
    ).toContain("                       ^^^                        ^^^^^^  3+6 characters equal");
  });

  test.each<[string, Partial<Reason>]>([
    ["that names no address", { resembles: undefined as unknown as string }],
    ["that names one that does not resemble it", { resembles: "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5" }],
    ["that names the address itself", { resembles: fake }],
    ["that names no address of the chain", { resembles: "nonsense" }],
  ])("unless the reason is one %s", (_name, own) => {
    expect(verdictLines(verdictWith({ decision: "BLOCK", reasons: [reason(own)] }), plain)).toHaveLength(2);
  });
});

test("a reason that is no finding is not shown beside a finding", () => {
  const failure: Reason = {
    check: "token-security",
    finding: "SERVICE_UNAVAILABLE",
    severity: "UNKNOWN",
    detail: "down",
  };

  expect(verdictLines(verdictWith({ decision: "UNKNOWN", reasons: [noSignal, failure] }), plain)).toEqual([
    `UNKNOWN line 7   Ethereum ${fake}`,
    "          token-security: SERVICE_UNAVAILABLE: down",
  ]);
});

test.each<[string, Partial<Verdict>, string]>([
  [
    "an unreadable record",
    { subject: { type: "unreadable", record_sha256: "0123456789abcdef" } },
    "unreadable record 0123456789ab…",
  ],
  [
    "a transaction",
    { subject: { type: "transaction", chain_id: "tron", transaction_sha256: "0123456789abcdef" } },
    "TRON transaction 0123456789ab…",
  ],
  ["an unknown chain", { subject: { type: "address", chain_id: "nowhere", address: "x" } }, "nowhere x"],
])("%s is named as such", (_name, own, text) => {
  expect(verdictLines(verdictWith(own), plain)[0]).toBe(`ALLOW   line 7   ${text}`);
});

test("a record of a topic is named by its position", () => {
  const source = { topic: "events", partition: 3, offset: "42" };

  expect(verdictLines(verdictWith({ source, event_id: "events/3/42" }), plain)[0]).toBe(
    `ALLOW   events/3/42 Ethereum ${fake}`,
  );
});

test("a terminal gets colours, anything else does not", () => {
  const paint = paintFor({ isTTY: true }, {});

  expect(paint.decision("BLOCK", "x")).toBe("\u001b[31mx\u001b[0m");
  expect(new Set((["ALLOW", "WARN", "UNKNOWN", "BLOCK"] as const).map((each) => paint.decision(each, "x"))).size).toBe(
    4,
  );
  expect(paint.marked("x")).toBe("\u001b[1mx\u001b[0m");
  expect([plain.decision("BLOCK", "x"), plain.marked("x"), plain.dim("x")]).toEqual(["x", "x", "x"]);
});

test("a token's evidence shows its numbers and its raised flags, for every decision, and no unknown value", () => {
  const data = {
    overall_risk_level: "",
    basic_info: { token_name: "A\u001b[2Jb", is_in_dex: "1", verified: "0" },
    security_risks: { is_honeypot: "0", hidden_owner: "1" },
    trade_analysis: { buy_tax: "5", sell_tax: "12.5", transfer_tax: "" },
    unknown: ["overall_risk_level", "security_risks.is_honeypot", "trade_analysis.transfer_tax"],
  };
  const checks: CheckEntry[] = [entry, { ...entry, check: "token-security", attempts: 2, data }];
  const subject = { type: "address", chain_id: "1", address: real, token_address: fake } as const;

  expect(verdictLines(verdictWith({ decision: "BLOCK", checks, subject, reasons: [noSignal] }), plain)).toEqual([
    `BLOCK   line 7   Ethereum ${real}, token ${fake}`,
    "          evidence: token-security asked 2026-01-01T00:00:00.000Z (2 requests): token_name A\uFFFD[2Jb, is_in_dex 1, hidden_owner 1, buy_tax 5, sell_tax 12.5",
  ]);
});

test("a class is shown by its names", () => {
  const data = {
    address_type: "Contract",
    classification: "ERC20",
    is_erc20: "1",
    details: { is_verified: false, proxy_impl_address: real, proxy_impl_type: "" },
  };
  const lines = verdictLines(verdictWith({ checks: [{ ...entry, check: "classification", data }] }), plain);

  expect(lines.at(-1)).toBe(
    `          evidence: classification asked 2026-01-01T00:00:00.000Z: address_type Contract, classification ERC20, proxy_impl_address ${real}`,
  );
});
