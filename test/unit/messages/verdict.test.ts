import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/messages/decision.ts";
import { type CheckEntry, failuresIn, lacking } from "../../../src/messages/verdict.ts";
import { failed } from "../../../src/worker/answers/check-entry.ts";
import { answered, clean } from "../../fakes/evidence.ts";

const down = { code: "SERVICE_UNAVAILABLE", detail: "the service answered 503" };
const unsupported = { code: "CHECK_UNSUPPORTED", detail: "not on this chain" };
const tokens = (...unanswered: readonly object[]) => answered("token-security", { ...clean.tokenSecurity, unanswered });
const parts = (...unanswered: readonly object[]) => answered("poisoning", { target: clean.target, unanswered });
const ofToken = (why: object) => ({ token: "0xbb", ...why });
const of = (checks: CheckEntry[], decision: Decision = "UNKNOWN") => lacking({ checks, decision });

describe("a check with a partial answer", () => {
  test.each([
    ["a token", tokens(ofToken(down))],
    ["a part of the users", parts(down)],
    ["one of several", parts(unsupported, down)],
    [
      "a part, and an address could not be read",
      { ...failed("poisoning", "USER_ADDRESS_INVALID", "x"), ...parts(down), outcome: "failed" as const },
    ],
  ])("lacks an answer of the service: %s", (_which, entry) => {
    expect(of([entry])).toBe("service");
  });

  test("lacks an answer that no service can give, when that is the reason", () => {
    expect(of([tokens(ofToken(unsupported))])).toBe("input");
    expect(of([parts(unsupported)])).toBe("input");
  });

  test("lacks nothing that a retry would bring, when the service has no answer for the item", () => {
    expect(of([failed("poisoning", "ITEM_FAILED", "never seen")])).toBe("input");
    expect(of([parts({ code: "ITEM_FAILED", detail: "never seen" })])).toBe("input");
    expect(of([parts({ code: "ITEM_FAILED", detail: "never seen" }, down)])).toBe("service");
  });

  test("lacks nothing when the other answers suffice for BLOCK", () => {
    expect(of([tokens(ofToken(down))], "BLOCK")).toBeUndefined();
    expect(of([tokens(ofToken(down)), failed("poisoning", "SERVICE_UNAVAILABLE", "x")], "BLOCK")).toBe("service");
  });

  test("gives the reason for each part, beside the checks without any answer", () => {
    const none = failed("classification", "ANSWER_INVALID", "too large");
    const { error: _none, ...withoutReason } = none;

    expect(failuresIn({ checks: [parts(down, unsupported), none, tokens(ofToken(down))], decision: "WARN" })).toEqual([
      down,
      unsupported,
      { code: "ANSWER_INVALID", detail: "too large" },
      ofToken(down),
    ]);
    expect(failuresIn({ checks: [withoutReason], decision: "WARN" }).map(({ code }) => code)).toEqual([
      "ANSWER_INVALID",
    ]);
  });
});

test.each([
  ["nothing is said to be unanswered", parts()],
  ["all was answered", answered("poisoning", { target: clean.target })],
  [
    "another check has a field of that name",
    answered("classification", { ...clean.classification, unanswered: [down] }),
  ],
  ["what is said does not read", answered("poisoning", { target: clean.target, unanswered: "none" })],
  ["there is no evidence", answered("poisoning", undefined)],
])("a check lacks nothing when %s", (_when, entry) => {
  expect(failuresIn({ checks: [entry], decision: "UNKNOWN" })).toEqual([]);
  expect(of([entry])).toBeUndefined();
});
