import { describe, expect, test } from "vitest";
import { type Check, checks } from "../../../../src/messages/checks.ts";
import { type CheckEntry, failureCodes } from "../../../../src/messages/verdict.ts";
import { decide } from "../../../../src/worker/decide/decide.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean, subject } from "../../../fakes/evidence.ts";

const { table } = defaultPolicy;

/** Decides about an address with these entries; the checks that have entries are the required ones. */
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
describe("of a check that was made in part, since one user address is impossible", () => {
  const part = (data: object): CheckEntry => ({
    ...failedEntry("poisoning", "USER_ADDRESS_INVALID"),
    data,
  });
  const flagged = { ...clean.target, is_poisoning: "1", mimics_user: "1" };
  const impossible = { check: "poisoning", finding: "USER_ADDRESS_INVALID", severity: "UNKNOWN", detail: "why" };

  test("what was flagged is certain", () => {
    const { decision, reasons } = decideOn([part({ target: flagged, token: clean.token })]);

    expect([decision, reasons.map(({ finding }) => finding)]).toEqual([
      "BLOCK",
      ["USER_ADDRESS_INVALID", "mimics_user", "is_poisoning"],
    ]);
  });

  test.each([
    ["nothing was flagged", { target: clean.target, token: clean.token }],
    ["the answer cannot be read", { target: { ...flagged, is_poisoning: "maybe" } }],
  ])("where %s, it is unknown and nothing else is said", (_what, data) => {
    expect(decideOn([part(data)])).toEqual({ decision: "UNKNOWN", reasons: [impossible] });
  });
});

describe("of a service that says very much", () => {
  const risks = (level: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ address: `address ${i}`, risk_level: level }));
  const [result] = clean.solana.results;
  const answeredBy = (involved_addresses_risks: readonly object[]) =>
    answered("solana-simulation", { ...clean.solana, results: [{ ...result, involved_addresses_risks }] });

  test("50 reasons are kept, those that decide before the others, and it is said how many are not", () => {
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

  test("a long one is cut", () => {
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
  ])("%s are kept as they are", (_what, lengths) => {
    expect(lengthsOf(...lengths)).toEqual(lengths);
  });

  test("one character more in all, and all are cut shorter", () => {
    expect(lengthsOf(...many(24, 1_000), 1_001)).toEqual(many(25, 503));
  });

  test("many long ones are cut shorter", () => {
    const { reasons } = decideOn([
      answeredBy(Array.from({ length: 20 }, () => ({ address: "x".repeat(9_000), risk_level: 5 }))),
    ]);
    expect(reasons.map(({ detail }) => detail.length)).toEqual(Array.from({ length: 20 }, () => 503));
  });
});

const blocked = answered("poisoning", { target: { ...clean.target, is_poisoning: "1" } });
const warned = answered("classification", { ...clean.classification, classification: "Unverified" });

test("a transaction that claims no bytes says nothing against itself", () => {
  const { reasons } = decideOn([answered("tron-integrity", { ...clean.tronIntegrity, integrity: "not_claimed" })]);
  expect(reasons.map(({ finding }) => finding)).toEqual(["no_signal", "not_claimed", "nothing_checked"]);
});

test.each<[string, CheckEntry["check"], object]>([
  ["not_analysed", "evm-security", { security: { ...clean.tron.security, not_analysed: ["state"] } }],
  ["nobodys_address", "poisoning", cleanOf.poisoning],
])("%s tells of the check, and is nothing against its subject", (finding, check, data) => {
  const address = "0x0000000000000000000000000000000000000000";
  const facts = { subject: { ...subject, address }, requiredChecks: [], checks: [answered(check, data)] };

  expect(decide(facts, table).reasons.map((reason) => reason.finding)).toEqual(["no_signal", finding]);
});

describe("ALLOW", () => {
  const asked = checks.filter((check) => check !== "tron-integrity" && check !== "listed" && check !== "payment");

  test.each(asked)("is for a required %s that answered and fired nothing, and says what that is worth", (check) => {
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

  test("says too when the event names no user, so that nothing of theirs was compared", () => {
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

  test("is not for what only this program looked at", () => {
    const { decision, reasons } = decideOn([answered("tron-integrity", cleanOf["tron-integrity"])]);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.map(({ finding }) => finding)).toEqual(["no_signal", "nothing_checked"]);
  });

  test("is for all of them together", () => {
    const { decision, reasons } = decideOn(checks.map((check) => answered(check, cleanOf[check])));

    expect(decision).toBe("ALLOW");
    expect(reasons.map(({ check }) => check)).toEqual(checks);
  });

  test("stands beside a check that does not apply", () => {
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
  test.each(failureCodes)("is for a check that failed with %s, beside an answer that fired nothing", (code) => {
    const { decision, reasons } = decideOn([
      answered("classification", cleanOf.classification),
      failedEntry("poisoning", code),
    ]);

    expect(decision).toBe("UNKNOWN");
    expect(reasons).toContainEqual({ check: "poisoning", finding: code, severity: "UNKNOWN", detail: "why" });
  });

  test.each(failureCodes)("is for an event that failed with %s", (code) => {
    expect(decideOn([failedEntry("event", code)])).toEqual({
      decision: "UNKNOWN",
      reasons: [{ check: "event", finding: code, severity: "UNKNOWN", detail: "why" }],
    });
  });

  test.each(checks)("is for a required %s that was never made", (check) => {
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

  test.each(checks)("is for evidence of %s that does not read as the interface says", (check) => {
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

  test("is for an answer to one check that stands under another", () => {
    for (const asked of checks) {
      // Transactions of TRON and of EVM chains are answered in one form.
      for (const given of checks.filter((each) => cleanOf[each] !== cleanOf[asked])) {
        expect(decideOn([answered(asked, cleanOf[given])]).decision, `${given} under ${asked}`).toBe("UNKNOWN");
      }
    }
  });

  test("is for an event of which nothing was required and nothing asked", () => {
    expect(decideOn([], [])).toEqual({
      decision: "UNKNOWN",
      reasons: [{ check: "event", finding: "nothing_checked", severity: "UNKNOWN", detail: "no check was answered" }],
    });
  });

  test("is for an event to which no check applied", () => {
    const { decision, reasons } = decideOn([notApplicable("token-security")], []);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.map(({ finding }) => finding)).toEqual(["not_applicable", "nothing_checked"]);
  });

  test("is for a required check that is said not to apply: only the plan may leave one out", () => {
    const entries = [answered("poisoning", cleanOf.poisoning), notApplicable("token-security")];

    expect(decideOn(entries).decision).toBe("UNKNOWN");
  });

  test("is for an answer that is called good and carries an error", () => {
    const entry = {
      ...answered("poisoning", cleanOf.poisoning),
      error: { code: "ITEM_FAILED" as const, detail: "why" },
    };

    expect(decideOn([entry]).decision).toBe("UNKNOWN");
  });

  test.each(["poisoning", "classification"] as const)("is for %s evidence that says what it has none on", (check) => {
    const unknown = ["is_poisoning", "classification"];
    const data =
      check === "poisoning" ? { target: { ...clean.target, unknown } } : { ...clean.classification, unknown };

    expect(decideOn([answered(check, data)]).decision).toBe("UNKNOWN");
  });

  test("is for a check that failed without saying why", () => {
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

  test("is for an event entry whatever its outcome says, and data beside a failure is not read", () => {
    expect(decideOn([answered("event", cleanOf.poisoning)]).decision).toBe("UNKNOWN");
    expect(decideOn([{ ...failedEntry("poisoning", "ITEM_FAILED"), data: cleanOf.poisoning }]).decision).toBe(
      "UNKNOWN",
    );
  });

  test("wins over WARN", () => {
    expect(decideOn([warned, failedEntry("poisoning", "SERVICE_UNAVAILABLE")]).decision).toBe("UNKNOWN");
  });
});

describe("WARN", () => {
  test("is for a finding of that severity, and wins over an answer that fired nothing", () => {
    expect(decideOn([warned]).decision).toBe("WARN");
    expect(decideOn([answered("poisoning", cleanOf.poisoning), warned]).decision).toBe("WARN");
  });
});

describe("BLOCK", () => {
  test.each(failureCodes)("stands beside a check that failed with %s", (code) => {
    const { decision, reasons } = decideOn([failedEntry("token-security", code), blocked]);

    expect(decision).toBe("BLOCK");
    expect(reasons.map(({ finding }) => finding)).toEqual([code, "is_poisoning"]);
  });

  test("stands beside a check that is missing, one that cannot be read and one that warns", () => {
    expect(decideOn([blocked], ["poisoning", "token-security"]).decision).toBe("BLOCK");
    expect(decideOn([answered("token-security", {}), blocked]).decision).toBe("BLOCK");
    expect(decideOn([warned, blocked]).decision).toBe("BLOCK");
  });

  test("stands beside a second answer to the same check", () => {
    expect(decideOn([answered("poisoning", cleanOf.poisoning), blocked]).decision).toBe("BLOCK");
  });
});

test("the reason of a lookalike names what it imitates", () => {
  const data = { target: { ...clean.target, mimics_exchange: "1", matched_address: "0xabc" } };

  expect(decideOn([answered("poisoning", data)]).reasons[0]).toEqual({
    check: "poisoning",
    finding: "mimics_exchange",
    severity: "BLOCK",
    detail: "looks like 0xabc, a labelled address",
    resembles: "0xabc",
  });
});

describe("of an answer as nearly all are", () => {
  const target = { ...clean.target, chain_id: "1", address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
  const plain = answered("poisoning", { target });
  const error = { code: "USER_ADDRESS_INVALID", detail: "why" } as const;
  const noSignal = {
    check: "poisoning",
    finding: "no_signal",
    severity: "INFO",
    detail: "no configured signal; not a guarantee of safety",
  };

  test("it is ALLOW when nothing was flagged and nothing else was required", () => {
    expect(decideOn([plain])).toEqual({ decision: "ALLOW", reasons: [noSignal] });
  });

  test("it is one and the same decision for all of them", () => {
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
  ])("%s it is UNKNOWN", (_where, entries, required, findings) => {
    const { decision, reasons } = decideOn(entries, required);

    expect(decision).toBe("UNKNOWN");
    expect(reasons.filter(({ severity }) => severity === "UNKNOWN").map(({ finding }) => finding)).toEqual(findings);
  });

  test("that is flagged it is BLOCK", () => {
    const flagged = { ...target, is_poisoning: "1", mimics_user: "1" };

    expect(decideOn([answered("poisoning", { target: flagged })]).decision).toBe("BLOCK");
  });
});
