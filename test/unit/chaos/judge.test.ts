import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/events/decision.ts";
import { canaryPairs } from "../../../src/worker/poisoning-pool/canary-pairs.generated.ts";
import type { ChaosEvent } from "../../chaos/events.ts";
import { History, type Said } from "../../chaos/history.ts";
import { isSettled, judge } from "../../chaos/judge.ts";
import type { Answer, LogLine } from "../../chaos/service-log.ts";
import { targetFlags, Users } from "../../chaos/truth.ts";

const item = (address: string) => ({ chain_id: "1", address });
const user = item("0x1111111111111111111111111111111111111111");
const stranger = item("0x3333333333333333333333333333333333333333");
const target = item("0x2222222222222222222222222222222222222222");
const imitation = item("0x1111122222222222222222222222222222211111");
const [canary] = canaryPairs.filter(({ family }) => family === "evm");
if (canary === undefined) throw new Error("there are no canaries");

const event: ChaosEvent = { name: "e", value: "", decision: "ALLOW", target, users: [user], token: undefined };
const answered = { users: [user], targets: [{ ...target, flags: targetFlags(target, new Users([user])) }], tokens: [] };

/** A verdict by the answer of request 7, unless the test says otherwise. */
function said(
  own: Partial<Said> = {},
  flags: Readonly<Record<string, string>> = targetFlags(target, new Users([user])),
): Said {
  return {
    verdictId: "v",
    revision: 0,
    decision: "ALLOW",
    decidedAt: "2026-01-01T00:00:00.000Z",
    lacks: undefined,
    source: "live/0/3",
    subject: { type: "address", ...target },
    requiredChecks: ["poisoning"],
    checks: [{ check: "poisoning", outcome: "ok", data: { target: { ...flags, answered_in: 7 } } }],
    ...own,
  };
}

const unknown = (own: Partial<Said> = {}) =>
  said({ decision: "UNKNOWN", lacks: "service", checks: [{ check: "poisoning", outcome: "failed" }], ...own });

function judged(chain: readonly Said[], answer: Answer | undefined = answered, written = event) {
  const history = new History();
  if (chain.length > 0) history.said.set(written.name, [...chain]);
  const line: LogLine = { number: 7, at: 0, outcome: "200", route: "poisoning", ...(answer && { answer }) };
  return judge(new Map([[written.name, written]]), history, new Map([[7, line]]));
}

test("a true verdict, and one that comes late, is in order", () => {
  expect(judged([said()])).toMatchObject({ lost: 0, wrong: 0, duplicates: 0, faults: [] });
  expect(judged([unknown(), said({ revision: 1 })])).toMatchObject({ laterRevisions: 1, faults: [] });
});

test("a copy is a duplicate, and may differ by UNKNOWN alone when a later revision stands", () => {
  const twice = { duplicates: 1, sentAgain: 1, worstPartition: { name: "live/0", duplicates: 1, verdicts: 1 } };
  expect(judged([said(), said()])).toMatchObject(twice);
  expect(judged([said(), said({ decidedAt: "2026-01-01T00:00:09.000Z" })])).toMatchObject({ ...twice, sentAgain: 0 });
  expect(judged([unknown(), said(), said({ revision: 1 })])).toMatchObject({ duplicates: 1, faults: [] });
});

describe("it sees", () => {
  const blocks = { ...event, target: imitation, decision: "BLOCK" as Decision };
  const raised = targetFlags(imitation, new Users([user]));
  const flagged = { users: [user], targets: [{ ...imitation, flags: raised }], tokens: [] };
  const pooled = { ...answered, users: [user, stranger] };
  const silent = {
    ...pooled,
    users: [...pooled.users, item(canary.user)],
    targets: [...pooled.targets, { ...item(canary.target), flags: targetFlags(target, new Users([])) }],
  };
  const sung = {
    ...silent,
    targets: [
      ...pooled.targets,
      { ...item(canary.target), flags: targetFlags(item(canary.target), new Users([item(canary.user)])) },
    ],
  };

  test("nothing wrong with what a singing canary proves, nor with a confirmed flag", () => {
    expect(judged([said()], sung).faults).toEqual([]);
    expect(judged([said({ decision: "BLOCK" }, raised)], flagged, blocks).faults).toEqual([]);
  });

  test.each<[string, RegExp, ReturnType<typeof judged>]>([
    ["a lost event", /no verdict at all/, judged([])],
    ["a wrong ALLOW", /should be BLOCK/, judged([said()], answered, blocks)],
    ["a wrong BLOCK", /should be ALLOW/, judged([said({ decision: "BLOCK" })])],
    [
      "an ALLOW that was wrong for a while",
      /should be BLOCK/,
      judged([said(), said({ revision: 1 })], answered, blocks),
    ],
    ["a gap", /revision 1 is missing/, judged([unknown(), said({ revision: 2 })])],
    ["an event that stays UNKNOWN", /UNKNOWN stands/, judged([unknown()])],
    ["an UNKNOWN that outranks its copy", /UNKNOWN stands/, judged([said(), unknown()])],
    ["two ids of one event", /two verdict ids/, judged([said(), said({ verdictId: "w" })])],
    ["ALLOW without an answer", /without every required answer/, judged([said({ checks: [] })])],
    ["an answer without its target", /target was answered otherwise/, judged([said()], { ...answered, targets: [] })],
    ["an answer to others", /its users were not/, judged([said()], { ...answered, users: [] })],
    ["a pooled answer without a canary", /no canary proves/, judged([said()], pooled)],
    ["a silent canary", /no canary proves/, judged([said()], silent)],
    [
      "a pooled flag that nobody confirmed",
      /not confirmed/,
      judged(
        [said({ decision: "BLOCK" }, raised)],
        { ...sung, targets: [...sung.targets, ...flagged.targets] },
        blocks,
      ),
    ],
    ["other flags than were answered", /answered otherwise/, judged([said({}, raised)])],
    [
      "a malformed event without a dead letter",
      /no dead letter/,
      judged([unknown({ lacks: "input" })], answered, { ...event, target: undefined, decision: "UNKNOWN" }),
    ],
  ])("%s", (_what, expected, { faults }) => {
    expect(faults.join("\n")).toMatch(expected);
  });

  test("an answer that was cut on its way", () => {
    const history = new History();
    history.said.set("e", [said()]);
    const line: LogLine = { number: 7, at: 0, outcome: "truncated", route: "poisoning" };
    expect(judge(new Map([["e", event]]), history, new Map([[7, line]])).faults.join()).toMatch(/did not answer that/);
  });

  test("a verdict on what nobody wrote", () => {
    const history = new History();
    history.said.set("e", [said()]);
    expect(judge(new Map(), history, new Map()).faults).toEqual(["e: a verdict on what nobody wrote"]);
  });
});

test("an event has its last word when what stands at its highest revision lacks nothing", () => {
  expect(isSettled(undefined)).toBe(false);
  expect(isSettled([unknown()])).toBe(false);
  expect(isSettled([unknown(), said()])).toBe(false);
  expect(isSettled([unknown(), said({ revision: 1 })])).toBe(true);
});
