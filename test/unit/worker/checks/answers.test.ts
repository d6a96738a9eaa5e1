import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import { timestamp } from "../../../../src/kernel/clock.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import { type CheckEntry, type FailureCode, failureCodes } from "../../../../src/messages/verdict.ts";
import { failed, notApplicable } from "../../../../src/worker/answers/check-entry.ts";
import {
  answersTo,
  deadlineOf,
  isWaitedFor,
  OVERDUE,
  settledInPart,
  sorted,
  unanswered,
} from "../../../../src/worker/checks/answers.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import type { Plan } from "../../../../src/worker/plan/question.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { DeadlineWatch } from "../../../../src/worker/screening/deadline-watch.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { recordOf } from "../../../fakes/records.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";

const NOW = Date.UTC(2026, 0, 2);
const [HOUR, DAY] = [3_600_000, 86_400_000];
const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "eth", address: target, user_addresses: [user] };
const { questions } = plan(eventOf({ ...event, token_address: token }), defaultPolicy.table, emptyBook);
const [aboutTarget, aboutToken] = questions as [Plan["questions"][number], Plan["questions"][number]];

const old = { check: "poisoning" as const, data: { target: { ...clean.target, says: "what is known" } } };
const entryAt = (answeredAt?: number): CheckEntry => ({
  ...answered(old.check, old.data),
  ...(answeredAt === undefined ? {} : { answered_at: timestamp(answeredAt) }),
});

const besideImpossible = (answeredAt: number): CheckEntry => ({
  ...entryAt(answeredAt),
  outcome: "failed",
  error: { code: "USER_ADDRESS_INVALID", detail: "why" },
});

/** The answers to an event with these entries from a ticket, and the number of requests. */
async function answersBeside(checks: readonly CheckEntry[], lane: Lane = "backfill", failuresLaterMs?: number) {
  const service = new FakeService().on("poisoningBatch", () => {
    const item = { chain_id: "1", address: target, ...clean.target };
    const data = { target_addresses: [item], token_addresses: [] };
    return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
  });
  const clock = new VirtualClock(NOW);
  const attempts: number[] = [];
  const worker = workerFor(service, {
    clock,
    failuresLaterMs: (attempt) => {
      attempts.push(attempt);
      return failuresLaterMs;
    },
  });
  worker.pool.expectMore(false);
  const record: InputRecord = { ...recordOf(event), ticket: { checks, attempt: 3 } };
  const deps = { ...worker, deadlines: new DeadlineWatch(clock) };
  const { questions: alone } = plan(eventOf(event), defaultPolicy.table, emptyBook);
  const answers = await answersTo(alone, record, { lane, tenant: "", deadlineAt: Number.POSITIVE_INFINITY }, deps);
  return { ...answers, asked: service.requests.length, attempts };
}

describe("an entry from a ticket is reused", () => {
  test.each<[string, Lane, CheckEntry]>([
    ["when it was answered this moment", "backfill", entryAt(NOW)],
    ["for a day, where nobody waits", "backfill", entryAt(NOW - DAY)],
    ["for an hour, where somebody does", "realtime", entryAt(NOW - HOUR)],
    ["when it did not apply", "backfill", notApplicable("poisoning", "why")],
    ["when it was refused", "backfill", failed("poisoning", "SERVICE_REJECTED", "why")],
    ["when it was flagged beside an impossible user", "backfill", besideImpossible(NOW - DAY)],
  ])("%s", async (_when, lane, entry) => {
    const { checks, open, asked, attempts } = await answersBeside([entry], lane);

    expect([checks, open, asked, attempts]).toEqual([[entry], [], 0, [3]]);
  });

  test("the last entry from a ticket for a check counts", async () => {
    const { checks, asked } = await answersBeside([entryAt(NOW - 2), entryAt(NOW - 1)]);

    expect([checks, asked]).toEqual([[entryAt(NOW - 1)], 0]);
  });
});

describe("an entry from a ticket is not reused", () => {
  test.each<[string, Lane, CheckEntry]>([
    ["after a day", "backfill", entryAt(NOW - DAY - 1)],
    ["after an hour, where somebody waits", "realtime", entryAt(NOW - HOUR - 1)],
    ["when it was answered later than now: a clock was set back", "backfill", entryAt(NOW + 1)],
    ["when it was flagged beside an impossible user more than a day ago", "backfill", besideImpossible(NOW - DAY - 1)],
    ["when nobody says when it was answered", "backfill", entryAt()],
    ["when it failed by what may be over", "backfill", failed("poisoning", "SERVICE_UNAVAILABLE", "why")],
    ["when it failed without a reason", "backfill", { ...answered("poisoning", undefined), outcome: "failed" }],
    ["when its answer was too large to be kept", "backfill", { ...entryAt(NOW), data: undefined }],
    ["when it is about another check", "backfill", { ...entryAt(NOW), check: "classification" }],
  ])("%s", async (_when, lane, entry) => {
    const { checks, asked } = await answersBeside([entry], lane);

    expect(checks).toMatchObject([{ check: "poisoning", outcome: "ok", answered_at: timestamp(NOW) }]);
    expect([checks[0]?.data, asked]).toEqual([{ target: { chain_id: "1", address: target, ...clean.target } }, 1]);
  });
});

describe("the sorting of answers", () => {
  const ok = answered("poisoning", old.data);
  const times = { failuresLaterMs: 5_000, msLeft: 10_000 };
  const mayBeOver = [
    "SERVICE_UNAVAILABLE",
    "SERVICE_NOT_READY",
    "SERVICE_RATE_LIMITED",
    "SERVICE_UNAUTHORIZED",
    "DEADLINE_PASSED",
    "ANSWER_INVALID",
  ];

  test.each(failureCodes)("a failure with %s is put off only if it is temporary", (code: FailureCode) => {
    const failure = failed("poisoning", code, "why");
    const stands = { checks: [failure], open: [], laterMs: 0, isOverdue: false, isFailure: false };
    const isPutOff = {
      checks: [],
      open: [{ question: aboutTarget, failure }],
      laterMs: 5_000,
      isOverdue: false,
      isFailure: true,
    };

    expect(sorted([aboutTarget], [failure], times)).toEqual(mayBeOver.includes(code) ? isPutOff : stands);
    expect(sorted([aboutTarget], [failure], { ...times, failuresLaterMs: undefined })).toEqual(stands);
  });

  const partOf = (...codes: readonly string[]) =>
    answered("poisoning", { ...old.data, unanswered: codes.map((code) => ({ code, detail: "why" })) });

  test("a partial answer is put off only if its missing part may come later", () => {
    const part = partOf("ITEM_FAILED", "SERVICE_UNAVAILABLE");
    const final = partOf("ITEM_FAILED");

    expect(sorted([aboutTarget], [part], times)).toEqual({
      checks: [],
      open: [{ question: aboutTarget, failure: part }],
      laterMs: 5_000,
      isOverdue: false,
      isFailure: true,
    });
    expect(sorted([aboutTarget], [part], { ...times, failuresLaterMs: undefined }).checks).toEqual([part]);
    expect(sorted([aboutTarget], [final], times).checks).toEqual([final]);
  });

  test("a sufficient partial answer counts as it is, whatever else is open", () => {
    const part = partOf("SERVICE_UNAVAILABLE");
    const failure = failed("token-security", "SERVICE_UNAVAILABLE", "why");
    const answers = sorted(questions, [part, failure], times);
    const seen: unknown[] = [];
    const enough = (is: boolean) => (checks: readonly CheckEntry[]) => {
      seen.push(checks);
      return is;
    };

    expect(settledInPart(answers, enough(true))).toEqual({
      ...answers,
      checks: [part],
      open: [{ question: aboutToken, failure }],
    });
    expect(settledInPart(answers, enough(false))).toBe(answers);
    expect(seen).toEqual([[part], [part]]);
  });

  test("without partial answers the check for sufficiency is not made", () => {
    const answers = sorted(questions, [ok, failed("token-security", "SERVICE_UNAVAILABLE", "why")], times);
    const never = () => {
      throw new Error("nothing was answered in part");
    };

    expect(settledInPart(answers, never)).toBe(answers);
  });

  test("the latest delay counts, and a caller that cannot wait for it is overdue", () => {
    const answers = [{ laterMs: 7_000, known: undefined }, failed("token-security", "SERVICE_NOT_READY", "why")];
    const at = (msLeft: number) => sorted(questions, answers, { ...times, msLeft });

    expect([at(7_001).laterMs, at(7_001).isOverdue]).toEqual([7_000, false]);
    expect([at(7_000).laterMs, at(7_000).isOverdue]).toEqual([7_000, true]);
    expect(at(7_000).open.map(({ question }) => question)).toEqual([aboutTarget, aboutToken]);
  });

  test("all answers that have arrived stand, however late it is", () => {
    expect(sorted([aboutTarget], [ok], { ...times, msLeft: -1 })).toEqual({
      checks: [ok],
      open: [],
      laterMs: 0,
      isOverdue: false,
      isFailure: false,
    });
  });

  test("a question without an answer at the deadline is open, and is asked again at once", () => {
    expect(sorted(questions, [ok, OVERDUE], times)).toEqual({
      checks: [ok],
      open: [{ question: aboutToken }],
      laterMs: 0,
      isOverdue: true,
      isFailure: false,
    });
  });
});

test("an open question carries the known part of its answer, whether it is overdue or put off", () => {
  const part = { ...answered("poisoning", old.data), attempts: 3 };
  const times = { failuresLaterMs: undefined, msLeft: 10_000 };
  const open = [{ question: aboutTarget, failure: part }];

  expect(sorted([aboutTarget], [OVERDUE], times, () => part)).toEqual({
    checks: [],
    open,
    laterMs: 0,
    isOverdue: true,
    isFailure: false,
  });
  expect(sorted([aboutTarget], [{ laterMs: 9_999, known: part }], times)).toEqual({
    checks: [],
    open,
    laterMs: 9_999,
    isOverdue: false,
    isFailure: false,
  });
});

test("an overdue question with a partial answer is reported as late, with the known part", () => {
  const failure = { ...answered("poisoning", old.data), attempts: 3 };
  const late = { code: "DEADLINE_PASSED", detail: "no answer in time; a later revision of this verdict will have it" };

  expect(unanswered([{ question: aboutTarget, failure }], true)).toEqual([
    { ...failure, outcome: "failed", error: late },
  ]);
  expect(unanswered([{ question: aboutTarget, failure }], false)).toEqual([failure]);
});

test("an open question is reported as late, as its failure, or as not ready", () => {
  const failure = failed("poisoning", "SERVICE_UNAVAILABLE", "down");
  const open = [{ question: aboutTarget, failure }, { question: aboutToken }];
  const late = "no answer in time; a later revision of this verdict will have it";

  expect(unanswered(open, true)).toEqual([
    failed("poisoning", "DEADLINE_PASSED", late),
    failed("token-security", "DEADLINE_PASSED", late),
  ]);
  expect(unanswered(open, false)).toEqual([
    failure,
    failed("token-security", "SERVICE_NOT_READY", "the analysis was still in progress at the last poll"),
  ]);
});

describe("the deadline of a realtime event", () => {
  const clock = new VirtualClock(NOW);
  const left = (since: number, putOffUntil?: number, deadlineMs = 30_000) =>
    deadlineOf(since, putOffUntil, { clock, deadlineMs, overdueGraceMs: 2_000 }) - clock.ticks();

  test("the deadline counts from the record, and a change of the clock never moves it further away", () => {
    expect([left(NOW), left(NOW - 20_000), left(NOW - 28_000)]).toEqual([30_000, 10_000, 2_000]);
    expect(left(NOW + DAY)).toBe(30_000);
  });

  test("the deadline is at least the grace away when the event is read", () => {
    expect([left(NOW - 28_001), left(NOW - 30_000), left(NOW - DAY)]).toEqual([2_000, 2_000, 2_000]);
  });

  test("a ticket that is back in time keeps its deadline, and a late ticket gets the grace", () => {
    expect([left(NOW - 29_999, NOW + 1), left(NOW - DAY, NOW + 700), left(NOW, NOW + 700)]).toEqual([1, 700, 700]);
    expect([left(NOW - DAY, NOW), left(NOW - DAY, NOW - DAY)]).toEqual([2_000, 2_000]);
    expect(left(NOW - DAY, NOW + DAY)).toBe(30_000);
  });

  test("the grace never exceeds the configured deadline", () => {
    expect([left(NOW, undefined, 500), left(NOW - DAY, undefined, 500)]).toEqual([500, 500]);
  });
});

test("a caller waits only for the first verdict on a realtime event", () => {
  expect(isWaitedFor({ revision: 0 }, "realtime")).toBe(true);
  expect(isWaitedFor({ revision: 1 }, "realtime")).toBe(false);
  expect(isWaitedFor({ revision: 0 }, "backfill")).toBe(false);
});
