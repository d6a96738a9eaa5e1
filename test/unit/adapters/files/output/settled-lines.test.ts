import { describe, expect, test } from "vitest";
import { SettledLines } from "../../../../../src/adapters/files/output/settled-lines.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import type { Verdict } from "../../../../../src/messages/verdict.ts";
import { failed } from "../../../../../src/worker/answers/check-entry.ts";
import { answered, clean } from "../../../../fakes/evidence.ts";
import { ticketOf } from "../../../../fakes/tickets.ts";
import { unanswered, verdictAt } from "../../../../fakes/verdicts.ts";

const MIB = 2 ** 20;

function linesWith(...verdicts: readonly Verdict[]): SettledLines {
  const lines = new SettledLines();
  for (const verdict of verdicts) lines.add("line" in verdict.source ? verdict.source.line : 0, verdict, 500);
  return lines;
}

test("a line is completed by its own verdict only", () => {
  const far = 10_000_000;
  const lines = linesWith(...[1, 65_535, 65_536, far].map((line) => verdictAt(line)));

  expect([1, 65_535, 65_536, far].map((line) => lines.lookUp(line, sha256(String(line))))).toEqual(
    new Array(4).fill("settled"),
  );
  expect(lines.lookUp(1, sha256("another"))).toBe("other");
  expect([2, 65_537, far + 1, 99_999_999].map((line) => lines.lookUp(line, sha256("1")))).toEqual(
    new Array(4).fill("open"),
  );
  expect(lines.size).toBe(4);
});

test("a verdict id that begins with zeros is an ordinary mark", () => {
  const zeros = { ...verdictAt(7), verdict_id: "0".repeat(64) };
  const lines = linesWith(zeros, zeros);

  expect(lines.lookUp(7, "0".repeat(64))).toBe("settled");
  expect(lines.size).toBe(1);
});

test("answers of up to 64 MiB of verdicts are kept, and a later verdict replaces the answers of the earlier one", () => {
  const lines = new SettledLines();
  const answered = (line: number): Verdict => {
    const verdict = unanswered(line);
    return {
      ...verdict,
      checks: [...verdict.checks, { check: "token-security", outcome: "ok", cached: false, attempts: 1, data: {} }],
    };
  };
  const hasAnswers = () => [1, 2, 3].map((line) => lines.owed(line)?.checks.length);

  lines.add(1, answered(1), 32 * MIB);
  lines.add(2, answered(2), 32 * MIB + 1);
  lines.add(3, answered(3), 32 * MIB);
  expect(hasAnswers()).toEqual([1, 0, 1]);
  lines.add(1, answered(1), 32 * MIB + 1);
  expect(hasAnswers()).toEqual([0, 0, 1]);
  lines.add(1, answered(1), 32 * MIB);
  expect(hasAnswers()).toEqual([1, 0, 1]);
});

test("a partly answered check is repeated as a whole, unless it is enough for BLOCK", () => {
  const why = [{ code: "SERVICE_UNAVAILABLE", detail: "503" }];
  const part = answered("poisoning", { target: clean.target, unanswered: why });
  const whole = answered("classification", clean.classification);
  const { checks: none } = unanswered(1);
  const owed = (decision: Verdict["decision"], ...checks: Verdict["checks"]) =>
    linesWith({ ...verdictAt(1), decision, checks }).owed(1);

  expect(owed("UNKNOWN", part, whole)).toEqual({ revision: 1, checks: [whole] });
  expect(owed("BLOCK", part, ...none)).toEqual({ revision: 1, checks: [part] });
  expect(owed("BLOCK", part, whole)).toBeUndefined();
});

test("a finding beside an invalid user is also kept, since the rest could only add to it", () => {
  const error = { code: "USER_ADDRESS_INVALID", detail: "why" } as const;
  const flagged = { target: { ...clean.target, is_poisoning: "1" } };
  const beside = { ...answered("poisoning", flagged), outcome: "failed", error } as const;
  const refused = failed("poisoning", error.code, error.detail);
  const why = [{ code: "SERVICE_UNAVAILABLE", detail: "503" }];
  const part = { ...beside, data: { ...flagged, unanswered: why } } as const;
  const { checks: none } = unanswered(1);
  const owed = (decision: Verdict["decision"], ...checks: Verdict["checks"]) =>
    linesWith({ ...verdictAt(1), decision, checks: [...checks, ...none] }).owed(1);

  expect(owed("BLOCK", beside)).toEqual({ revision: 1, checks: [beside] });
  expect(owed("UNKNOWN", beside)).toEqual({ revision: 1, checks: [beside] });
  expect(owed("BLOCK", part)).toEqual({ revision: 1, checks: [part] });
  expect(owed("UNKNOWN", part)).toEqual({ revision: 1, checks: [] });
  expect(owed("UNKNOWN", refused)).toEqual({ revision: 1, checks: [] });
});

describe("a ticket is awaited", () => {
  const first = ticketOf();
  const second = ticketOf({ revision: 1 });
  const awaits = (...verdicts: readonly Verdict[]) => {
    const lines = linesWith(...verdicts);
    return [first, second].map((ticket) => lines.awaits(ticket));
  };

  test.each<[string, readonly Verdict[], readonly boolean[]]>([
    ["by a line without a verdict, for its first", [], [true, false]],
    ["by a line that is owed an answer, for the next revision", [unanswered(1)], [false, true]],
    ["no more by that line once it has that, too", [unanswered(1), unanswered(1, 1)], [false, false]],
    ["by no line that has its verdict", [verdictAt(1)], [false, false]],
    ["by no line whose verdict is of another event", [{ ...unanswered(1), verdict_id: sha256("x") }], [false, false]],
    ["by its own line, whatever others have", [verdictAt(2), unanswered(3)], [true, false]],
  ])("%s", (_name, verdicts, expected) => {
    expect(awaits(...verdicts)).toEqual(expected);
  });

  test("not for a record of a topic", () => {
    const source = { topic: "events", partition: 0, offset: "1" };

    expect(linesWith().awaits(ticketOf({ source }))).toBe(false);
  });
});
