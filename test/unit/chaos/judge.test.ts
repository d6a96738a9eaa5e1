import { describe, expect, test } from "vitest";
import { timestamp } from "../../../src/kernel/clock.ts";
import type { Decision } from "../../../src/messages/decision.ts";
import { canaryPairs } from "../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { ChaosEvent } from "../../chaos/events.ts";
import { History, type Said } from "../../chaos/history.ts";
import { isSettled, judge } from "../../chaos/judge.ts";
import type { Answer, LogLine } from "../../chaos/service-log.ts";
import { targetFlags, tokenFlags, Users } from "../../chaos/truth.ts";

const item = (address: string) => ({ chain_id: "1", address });
const user = item("0x1111111111111111111111111111111111111111");
const stranger = item("0x3333333333333333333333333333333333333333");
const target = item("0x2222222222222222222222222222222222222222");
const imitation = item("0x1111122222222222222222222222222222211111");
const [canary] = canaryPairs.filter(({ family }) => family === "evm");
if (canary === undefined) throw new Error("there are no canaries");

const event: ChaosEvent = { name: "e", value: "", decision: "ALLOW", target, users: [user], token: undefined };
const answered = { users: [user], targets: [{ ...target, flags: targetFlags(target, new Users([user])) }], tokens: [] };

/** The times of the request, of the answer to request 7, and of the arrival of that answer. */
const [ASKED, AT, CAME] = [1_000, 2_000, 3_000];
const times = { requestedAt: timestamp(ASKED), answeredAt: timestamp(CAME) };

/** A verdict with the answer to request 7 by default. */
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
    checks: [{ check: "poisoning", outcome: "ok", ...times, data: { target: { ...flags, answered_in: 7 } } }],
    ...own,
  };
}

const unknown = (own: Partial<Said> = {}) =>
  said({
    decision: "UNKNOWN",
    lacks: "service",
    unanswered: true,
    checks: [{ check: "poisoning", outcome: "failed" }],
    ...own,
  });

const lineOf = (answer: Answer, own: Partial<LogLine> = {}): LogLine => ({
  number: 7,
  at: AT,
  outcome: "200",
  route: "poisoning",
  isStamped: true,
  answer,
  ...own,
});

function judgedBy(chain: readonly Said[], lines: readonly LogLine[], written = event) {
  const history = new History();
  if (chain.length > 0) history.said.set(written.name, [...chain]);
  return judge(new Map([[written.name, written]]), history, new Map(lines.map((line) => [line.number, line])));
}

function judged(chain: readonly Said[], answer = answered, written = event) {
  return judgedBy(chain, [lineOf(answer)], written);
}

/** A verdict with an answer without additions to the interface: it has the address and its flags, and no stamp. */
function plainly(flags: Readonly<Record<string, string>> = answered.targets[0]?.flags ?? {}, about = target): Said {
  return said({ checks: [{ check: "poisoning", outcome: "ok", ...times, data: { target: { ...flags, ...about } } }] });
}

test("an UNKNOWN with a missing answer after a decision of its revision is counted, and the decision counts", () => {
  expect(judged([said(), unknown()])).toMatchObject({ vaguer: 1, duplicates: 1, faults: [] });
  expect(judged([unknown(), said(), unknown({ revision: 1 }), said({ revision: 1 })])).toMatchObject({
    vaguer: 0,
    faults: [],
  });
});

test("a true verdict has no fault, and neither has a late one", () => {
  expect(judged([said()])).toMatchObject({ lost: 0, wrong: 0, duplicates: 0, faults: [] });
  expect(judged([unknown(), said({ revision: 1 })])).toMatchObject({ laterRevisions: 1, faults: [] });
});

test("a copy is a duplicate, and may differ only by UNKNOWN when a later revision exists", () => {
  const twice = { duplicates: 1, sentAgain: 1, worstPartition: { name: "live/0", duplicates: 1, verdicts: 1 } };
  expect(judged([said(), said()])).toMatchObject(twice);
  expect(judged([said(), said({ decidedAt: "2026-01-01T00:00:09.000Z" })])).toMatchObject({ ...twice, sentAgain: 0 });
  expect(judged([unknown(), said(), said({ revision: 1 })])).toMatchObject({ duplicates: 1, faults: [] });
});

function withoutTimes(verdict: Said): Said {
  return {
    ...verdict,
    checks: verdict.checks.map(({ requestedAt: _asked, answeredAt: _came, ...entry }) => entry),
  };
}

describe("the judge sees", () => {
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

  test("no fault in a batched flag for the event's own user", () => {
    const both = { ...sung, targets: [...sung.targets, ...flagged.targets] };

    expect(judged([said({ decision: "BLOCK" }, raised)], both, blocks).faults).toEqual([]);
  });

  test("no fault in a result that a flagged canary proves, nor in a confirmed flag", () => {
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
    ["an UNKNOWN that outranks its copy", /UNKNOWN stands/, judged([said(), unknown({ unanswered: undefined })])],
    ["two ids of one event", /two verdict ids/, judged([said(), said({ verdictId: "w" })])],
    ["ALLOW without an answer", /without every required answer/, judged([said({ checks: [] })])],
    ["an answer without its target", /did not answer that/, judged([said()], { ...answered, targets: [] })],
    [
      "two answers about one target in one request",
      /target was answered otherwise/,
      judged([said()], { ...answered, targets: [...answered.targets, ...answered.targets] }),
    ],
    ["an answer to others", /its users were not/, judged([said()], { ...answered, users: [] })],
    ["a pooled answer without a canary", /no canary proves/, judged([said()], pooled)],
    ["a silent canary", /no canary proves/, judged([said()], silent)],
    [
      "a pooled flag that nobody confirmed",
      /not confirmed/,
      judged(
        [said({ decision: "BLOCK" }, raised)],
        { ...sung, targets: [...sung.targets, ...flagged.targets] },
        { ...blocks, users: [stranger] },
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
    for (const isStamped of [true, false]) {
      const { answer: _cut, ...line } = lineOf(answered, { outcome: "truncated", isStamped });
      expect(judgedBy([isStamped ? said() : plainly()], [line]).faults.join()).toMatch(/did not answer that/);
    }
  });

  test("a verdict on an event that was not written", () => {
    const history = new History();
    history.said.set("e", [said()]);
    expect(judge(new Map(), history, new Map()).faults).toEqual(["e: a verdict on what nobody wrote"]);
  });
});

describe("a plain answer without a stamp", () => {
  const plain = (own: Partial<LogLine> = {}, answer: Answer = answered) => lineOf(answer, { isStamped: false, ...own });
  const raised = targetFlags(imitation, new Users([user]));
  const pooled = { ...answered, users: [user, stranger] };

  test.each([ASKED, AT, CAME])("has no fault when the service sent it during the wait: at %d", (at) => {
    expect(judgedBy([plainly()], [plain({ at })])).toMatchObject({ wrong: 0, plainAnswers: 1, faults: [] });
  });

  test("has no fault by any reliable answer, whatever other answers there are", () => {
    const lines = [plain({ number: 6, at: AT - 1 }, pooled), plain(), plain({ number: 8 }, { ...answered, users: [] })];
    expect(judgedBy([plainly()], lines).faults).toEqual([]);
  });

  test.each<[string, RegExp, LogLine[], Said?]>([
    ["never given", /did not answer that, then/, []],
    ["given about another", /did not answer that, then/, [plain({}, { ...answered, targets: [] })]],
    ["given before it was asked", /did not answer that, then/, [plain({ at: ASKED - 1 })]],
    ["given after it came", /did not answer that, then/, [plain({ at: CAME + 1 })]],
    ["given with a stamp", /did not answer that, then/, [lineOf(answered)]],
    ["given to others", /its users were not in the request/, [plain({}, { ...answered, users: [] })]],
    ["given in company that no canary proves", /no canary proves/, [plain({}, pooled)]],
    [
      "given otherwise",
      /its target was answered otherwise/,
      [plain({}, { ...answered, targets: [{ ...target, flags: raised }] })],
    ],
    ["said without times", /did not answer that, then/, [plain()], withoutTimes(plainly())],
    ["stamped, and was given plain", /did not answer that, then/, [plain()], said()],
  ])("is a fault of an ALLOW when it was %s", (_what, expected, lines, verdict = plainly()) => {
    expect(judgedBy([verdict], lines).faults).toEqual([expect.stringMatching(expected)]);
  });

  test("must come with the answer about its token", () => {
    const token = item("0x7777777777777777777777777777777777777777");
    const flags = tokenFlags(token);
    const withToken = { ...answered, tokens: [{ ...token, flags }] };
    const evidence = { target: { ...answered.targets[0]?.flags, ...target }, token: { ...flags, ...token } };
    const entry = { check: "poisoning", outcome: "ok", ...times };
    const other = { ...evidence, token: { ...evidence.token, answered_in: 7 } };
    const faults = (data: unknown) =>
      judgedBy(
        [said({ checks: [{ ...entry, data }], requiredChecks: ["poisoning", "token-security"] })],
        [plain({}, withToken)],
        { ...event, token },
      ).faults.filter((what) => /its token/.test(what));

    expect(faults(evidence)).toEqual([]);
    expect(faults(other)).toEqual(["e: its token is of another answer"]);
  });
});

test("an event has its final verdict when no answer is missing at its highest revision", () => {
  expect(isSettled(undefined)).toBe(false);
  expect(isSettled([unknown()])).toBe(false);
  expect(isSettled([unknown(), said()])).toBe(true);
  expect(isSettled([said(), unknown({ revision: 1 })])).toBe(false);
  expect(isSettled([unknown(), said({ revision: 1 })])).toBe(true);
});
