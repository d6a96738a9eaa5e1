import { describe, expect, test } from "vitest";
import { type Check, checks } from "../../../../src/messages/checks.ts";
import { type CheckEntry, failureCodes } from "../../../../src/messages/verdict.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;

/** Decides on an address with these entries. By default the checks with entries are the required ones. */
function decideOn(entries: readonly CheckEntry[], required?: readonly Check[]) {
  const own = entries.flatMap(({ check }) => (check === "event" ? [] : [check]));
  return decide({ subject, requiredChecks: required ?? own, checks: entries }, table);
}

const cleanOf = {
  poisoning: { target: clean.target, token: clean.token },
  "token-security": clean.tokenSecurity,
  classification: clean.classification,
  "solana-simulation": clean.solana,
  "tron-security": clean.tron,
  "evm-security": clean.tron,
  "tron-integrity": clean.tronIntegrity,
  listed: { matches: [] },
  payment: { mistakes: [] },
} as const satisfies Record<Check, unknown>;

const failedEntry = (check: CheckEntry["check"], code: (typeof failureCodes)[number]): CheckEntry => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 5,
  error: { code, detail: "why" },
});
const notApplicable = (check: Check): CheckEntry => ({
  check,
  outcome: "not_applicable",
  cached: false,
  attempts: 0,
  error: { code: "CHECK_UNSUPPORTED", detail: "only EVM chains have it" },
});
describe("a partial check with an invalid user address", () => {
  const part = (data: object): CheckEntry => ({
    ...failedEntry("poisoning", "USER_ADDRESS_INVALID"),
    data,
  });
  const flagged = { ...clean.target, is_poisoning: "1", mimics_user: "1" };
  const impossible = { check: "poisoning", finding: "USER_ADDRESS_INVALID", severity: "UNKNOWN", detail: "why" };

  test("a flag of a partial check stands", () => {
    const { decision, reasons } = decideOn([part({ target: flagged, token: clean.token })]);

    expect([decision, reasons.map(({ finding }) => finding)]).toEqual([
      "BLOCK",
      ["USER_ADDRESS_INVALID", "mimics_user", "is_poisoning"],
    ]);
  });

  test.each([
    ["nothing was flagged", { target: clean.target, token: clean.token }],
    ["the answer cannot be read", { target: { ...flagged, is_poisoning: "maybe" } }],
  ])("if %s, the decision is UNKNOWN without other reasons", (_what, data) => {
    expect(decideOn([part(data)])).toEqual({ decision: "UNKNOWN", reasons: [impossible] });
  });
});

describe("an answer with very many reasons", () => {
  const risks = (level: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ address: `address ${i}`, risk_level: level }));
  const [result] = clean.solana.results;
  const answeredBy = (involved_addresses_risks: readonly object[]) =>
    answered("solana-simulation", { ...clean.solana, results: [{ ...result, involved_addresses_risks }] });

  test("50 reasons are kept, the decisive ones first, and the number of omitted reasons is stated", () => {
    const { decision, reasons } = decideOn([answeredBy([...risks(-1, 6_000), ...risks(5, 1)])]);
    const severities = reasons.map(({ severity }) => severity);
    expect([decision, reasons.length, severities[0]]).toEqual(["BLOCK", 50, "BLOCK"]);
    expect(reasons.at(-1)).toEqual({
      check: "event",
      finding: "more_reasons",
      severity: "INFO",
      detail: "5952 more reasons are not repeated here",
    });
  });

  test("a long reason is cut", () => {
    const { reasons } = decideOn([answeredBy([{ address: "x".repeat(9_000), risk_level: 5 }])]);
    expect(reasons.map(({ detail }) => detail.length)).toEqual([2_003]);
  });

  const failures = (...lengths: readonly number[]) =>
    lengths.map(
      (length): CheckEntry => ({
        ...failedEntry("poisoning", "SERVICE_UNAVAILABLE"),
        error: { code: "SERVICE_UNAVAILABLE", detail: "x".repeat(length) },
      }),
    );
  const many = (count: number, length: number) => Array.from({ length: count }, () => length);
  const lengthsOf = (...lengths: readonly number[]) =>
    decideOn(failures(...lengths)).reasons.map(({ detail }) => detail.length);

  test.each([
    ["fifty of them", many(50, 10)],
    ["one of 2,000 characters", [2_000]],
    ["25,000 characters in all", many(25, 1_000)],
    ["fewer in all, though more than 500 in each", many(20, 600)],
    ["fifty of them, one of which is longer than the others may be", [...many(49, 10), 600]],
    ["25,000 characters in all, more in some than in others", [1_500, ...many(23, 1_000), 500]],
    ["twenty short ones and one long one", [...many(20, 10), 2_000]],
  ])("%s are kept unchanged", (_what, lengths) => {
    expect(lengthsOf(...lengths)).toEqual(lengths);
  });

  test("one character more than the total cuts all reasons", () => {
    expect(lengthsOf(...many(24, 1_000), 1_001)).toEqual(many(25, 503));
  });

  test("many long reasons are cut to equal shares", () => {
    const { reasons } = decideOn([
      answeredBy(Array.from({ length: 20 }, () => ({ address: "x".repeat(9_000), risk_level: 5 }))),
    ]);
    expect(reasons.map(({ detail }) => detail.length)).toEqual(Array.from({ length: 20 }, () => 503));
  });
});

const blocked = answered("poisoning", { target: { ...clean.target, is_poisoning: "1" } });
const warned = answered("classification", { ...clean.classification, classification: "Unverified" });

test("a transaction without raw bytes has no finding against it", () => {
  const { reasons } = decideOn([answered("tron-integrity", { ...clean.tronIntegrity, integrity: "not_claimed" })]);
  expect(reasons.map(({ finding }) => finding)).toEqual(["no_signal", "not_claimed", "nothing_checked"]);
});

test.each<[string, CheckEntry["check"], object]>([
  ["not_analysed", "evm-security", { security: { ...clean.tron.security, not_analysed: ["state"] } }],
  ["nobodys_address", "poisoning", cleanOf.poisoning],
])("the finding %s describes the check, not its subject", (finding, check, data) => {
  const address = "0x0000000000000000000000000000000000000000";
  const facts = { subject: { ...subject, address }, requiredChecks: [], checks: [answered(check, data)] };

  expect(decide(facts, table).reasons.map((reason) => reason.finding)).toEqual(["no_signal", finding]);
});

describe("ALLOW", () => {
  const asked = checks.filter((check) => check !== "tron-integrity" && check !== "listed" && check !== "payment");

  test.each(asked)("ALLOW is for a required %s with an answer without findings, and names its limits", (check) => {
    expect(decideOn([answered(check, cleanOf[check])])).toEqual({
      decision: "ALLOW",
      reasons: [
        {
          check,
          finding: "no_signal",
          severity: "INFO",
          detail: "no configured signal; not a guarantee of safety",
        },
      ],
    });
  });

  test("ALLOW also states when the event names no user, so that no user was compared", () => {
    const { user_addresses: _users, ...nobody } = subject;
    const facts = { subject: nobody, requiredChecks: ["poisoning" as const], checks: [blocked] };
    const { decision, reasons } = decide({ ...facts, checks: [answered("poisoning", cleanOf.poisoning)] }, table);

    expect(decision).toBe("ALLOW");
    expect(reasons.map(({ finding, severity }) => [finding, severity])).toEqual([
      ["no_signal", "INFO"],
      ["no_users", "INFO"],
    ]);
    expect(decide(facts, table).reasons.map(({ finding }) => finding)).toEqual(["is_poisoning"]);
  });

  test("checks of the worker alone are not enough for ALLOW", () => {
    const { decision, reasons } = decideOn([answered("tron-integrity", cleanOf["tron-integrity"])]);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.map(({ finding }) => finding)).toEqual(["no_signal", "nothing_checked"]);
  });

  test("ALLOW is for all checks together", () => {
    const { decision, reasons } = decideOn(checks.map((check) => answered(check, cleanOf[check])));

    expect(decision).toBe("ALLOW");
    expect(reasons.map(({ check }) => check)).toEqual(checks);
  });

  test("ALLOW stands beside a check that does not apply", () => {
    const entries = [answered("poisoning", cleanOf.poisoning), notApplicable("token-security")];

    expect(decideOn(entries, ["poisoning"])).toEqual({
      decision: "ALLOW",
      reasons: [
        expect.objectContaining({ check: "poisoning", finding: "no_signal" }),
        {
          check: "token-security",
          finding: "not_applicable",
          severity: "INFO",
          detail: "only EVM chains have it",
        },
      ],
    });
  });
});

describe("UNKNOWN", () => {
  test.each(failureCodes)("UNKNOWN is for a check that failed with %s, beside an answer without findings", (code) => {
    const { decision, reasons } = decideOn([
      answered("classification", cleanOf.classification),
      failedEntry("poisoning", code),
    ]);

    expect(decision).toBe("UNKNOWN");
    expect(reasons).toContainEqual({ check: "poisoning", finding: code, severity: "UNKNOWN", detail: "why" });
  });

  test.each(failureCodes)("UNKNOWN is for an event that failed with %s", (code) => {
    expect(decideOn([failedEntry("event", code)])).toEqual({
      decision: "UNKNOWN",
      reasons: [{ check: "event", finding: code, severity: "UNKNOWN", detail: "why" }],
    });
  });

  test.each(checks)("UNKNOWN is for a required %s that was never made", (check) => {
    const others = checks.filter((each) => each !== check).map((each) => answered(each, cleanOf[each]));

    const { decision, reasons } = decideOn(others, checks);

    expect(decision).toBe("UNKNOWN");
    expect(reasons).toContainEqual({
      check,
      finding: "check_missing",
      severity: "UNKNOWN",
      detail: "the required check was not made",
    });
  });

  test.each(checks)("UNKNOWN is for evidence of %s that has not the form of the interface", (check) => {
    for (const data of [undefined, null, {}, [], "ok", 0, { error: { code: "x", detail: "y" } }]) {
      expect(decideOn([answered(check, data)])).toEqual({
        decision: "UNKNOWN",
        reasons: [
          {
            check,
            finding: "ANSWER_INVALID",
            severity: "UNKNOWN",
            detail: "the answer does not read as the interface says",
          },
        ],
      });
    }
  });

  test("UNKNOWN is for an answer to one check that is stored under another", () => {
    for (const asked of checks) {
      // TRON and EVM transactions have answers of the same form.
      for (const given of checks.filter((each) => cleanOf[each] !== cleanOf[asked])) {
        expect(decideOn([answered(asked, cleanOf[given])]).decision, `${given} under ${asked}`).toBe("UNKNOWN");
      }
    }
  });

  test("UNKNOWN is for an event without a required check and without a question", () => {
    expect(decideOn([], [])).toEqual({
      decision: "UNKNOWN",
      reasons: [{ check: "event", finding: "nothing_checked", severity: "UNKNOWN", detail: "no check was answered" }],
    });
  });

  test("UNKNOWN is for an event to which no check applied", () => {
    const { decision, reasons } = decideOn([notApplicable("token-security")], []);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.map(({ finding }) => finding)).toEqual(["not_applicable", "nothing_checked"]);
  });

  test("UNKNOWN is for a required check that is marked as not applicable, because only the plan may omit a check", () => {
    const entries = [answered("poisoning", cleanOf.poisoning), notApplicable("token-security")];

    expect(decideOn(entries).decision).toBe("UNKNOWN");
  });

  test("UNKNOWN is for a successful entry with an error", () => {
    const entry = {
      ...answered("poisoning", cleanOf.poisoning),
      error: { code: "ITEM_FAILED" as const, detail: "why" },
    };

    expect(decideOn([entry]).decision).toBe("UNKNOWN");
  });

  test.each(["poisoning", "classification"] as const)("UNKNOWN is for %s evidence with unknown flags", (check) => {
    const unknown = ["is_poisoning", "classification"];
    const data =
      check === "poisoning" ? { target: { ...clean.target, unknown } } : { ...clean.classification, unknown };

    expect(decideOn([answered(check, data)]).decision).toBe("UNKNOWN");
  });

  test("UNKNOWN is for a check that failed without a reason", () => {
    const entry: CheckEntry = { check: "poisoning", outcome: "failed", cached: false, attempts: 1 };

    expect(decideOn([entry])).toEqual({
      decision: "UNKNOWN",
      reasons: [
        {
          check: "poisoning",
          finding: "ANSWER_INVALID",
          severity: "UNKNOWN",
          detail: "the check failed without a reason",
        },
      ],
    });
  });

  test("UNKNOWN is for any event entry, and data beside a failure is not read", () => {
    expect(decideOn([answered("event", cleanOf.poisoning)]).decision).toBe("UNKNOWN");
    expect(decideOn([{ ...failedEntry("poisoning", "ITEM_FAILED"), data: cleanOf.poisoning }]).decision).toBe(
      "UNKNOWN",
    );
  });

  test("UNKNOWN wins over WARN", () => {
    expect(decideOn([warned, failedEntry("poisoning", "SERVICE_UNAVAILABLE")]).decision).toBe("UNKNOWN");
  });
});

describe("WARN", () => {
  test("WARN is for a finding of that severity, and wins over an answer without findings", () => {
    expect(decideOn([warned]).decision).toBe("WARN");
    expect(decideOn([answered("poisoning", cleanOf.poisoning), warned]).decision).toBe("WARN");
  });
});

describe("BLOCK", () => {
  test.each(failureCodes)("BLOCK stands beside a check that failed with %s", (code) => {
    const { decision, reasons } = decideOn([failedEntry("token-security", code), blocked]);

    expect(decision).toBe("BLOCK");
    expect(reasons.map(({ finding }) => finding)).toEqual([code, "is_poisoning"]);
  });

  test("BLOCK stands beside a missing check, an unreadable check and a warning", () => {
    expect(decideOn([blocked], ["poisoning", "token-security"]).decision).toBe("BLOCK");
    expect(decideOn([answered("token-security", {}), blocked]).decision).toBe("BLOCK");
    expect(decideOn([warned, blocked]).decision).toBe("BLOCK");
  });

  test("BLOCK stands beside a second answer to the same check", () => {
    expect(decideOn([answered("poisoning", cleanOf.poisoning), blocked]).decision).toBe("BLOCK");
  });
});

test("the reason for a lookalike names the imitated address", () => {
  const data = { target: { ...clean.target, mimics_exchange: "1", matched_address: "0xabc" } };

  expect(decideOn([answered("poisoning", data)]).reasons[0]).toEqual({
    check: "poisoning",
    finding: "mimics_exchange",
    severity: "BLOCK",
    detail: "looks like 0xabc, a labelled address",
    resembles: "0xabc",
  });
});

describe("a plain poisoning answer", () => {
  const target = { ...clean.target, chain_id: "1", address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
  const plain = answered("poisoning", { target });
  const error = { code: "USER_ADDRESS_INVALID", detail: "why" } as const;
  const noSignal = {
    check: "poisoning",
    finding: "no_signal",
    severity: "INFO",
    detail: "no configured signal; not a guarantee of safety",
  };

  test("the plain answer is ALLOW without flags, if no other check is required", () => {
    expect(decideOn([plain])).toEqual({ decision: "ALLOW", reasons: [noSignal] });
  });

  test("all plain answers share one decision object", () => {
    expect(decideOn([plain])).toBe(decideOn([plain]));
    expect(decideOn([plain], [])).toBe(decideOn([plain]));
  });

  test.each<[string, CheckEntry[], Check[], string[]]>([
    [
      "beside another that failed",
      [plain, failedEntry("event", "EVENT_MALFORMED")],
      ["poisoning"],
      ["EVENT_MALFORMED"],
    ],
    [
      "behind another that failed",
      [failedEntry("event", "EVENT_MALFORMED"), plain],
      ["poisoning"],
      ["EVENT_MALFORMED"],
    ],
    ["of a check that was made in part", [{ ...plain, error }], ["poisoning"], ["USER_ADDRESS_INVALID"]],
    ["of a check that failed", [{ ...plain, outcome: "failed", error }], ["poisoning"], ["USER_ADDRESS_INVALID"]],
    ["of a check that failed without a word", [{ ...plain, outcome: "failed" }], ["poisoning"], ["ANSWER_INVALID"]],
    ["of another check", [{ ...plain, check: "token-security" }], [], ["ANSWER_INVALID"]],
    ["without another that was required", [plain], ["poisoning", "token-security"], ["check_missing"]],
    ["without the one that was required", [plain], ["token-security"], ["check_missing"]],
  ])("a plain answer %s is UNKNOWN", (_where, entries, required, findings) => {
    const { decision, reasons } = decideOn(entries, required);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.filter(({ severity }) => severity === "UNKNOWN").map(({ finding }) => finding)).toEqual(findings);
  });

  test("a flagged plain answer is BLOCK", () => {
    const flagged = { ...target, is_poisoning: "1", mimics_user: "1" };

    expect(decideOn([answered("poisoning", { target: flagged })]).decision).toBe("BLOCK");
  });
});
