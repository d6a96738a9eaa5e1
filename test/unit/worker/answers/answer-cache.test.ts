import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import { defaultAges, textCache } from "../../../../src/worker/answers/answer-cache.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { heapUsed } from "../../../support/heap-used.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const ANSWERED = 1_000_000;
const trace = { requests: 2, askedAt: ANSWERED - 10, answeredAt: ANSWERED, cached: false };
const answer = { says: "0" };
/** At the time of the answer. */
const clock = new FakeClock(ANSWERED);

describe("an answer is used for", () => {
  test.each<[string, boolean, Lane, number]>([
    ["a minute, when nothing was raised", false, "realtime", MINUTE],
    ["an hour, when something was", true, "realtime", HOUR],
    ["a day, for the backfill", false, "backfill", DAY],
    ["a day, for the backfill, too, when something was raised", true, "backfill", DAY],
  ])("%s", async (_name, isRaised, lane, ms) => {
    const clock = new FakeClock(ANSWERED);
    const cache = textCache(1e6, defaultAges, clock);
    cache.keep("q", answer, trace, isRaised);

    const found = {
      value: answer,
      trace: { requests: 0, askedAt: ANSWERED - 10, answeredAt: ANSWERED, cached: true },
    };
    expect(cache.find("q", lane)).toEqual(found);
    expect(cache.find("another", lane)).toBeUndefined();
    await clock.sleep(ms - 1);
    expect(cache.find("q", lane)).toEqual(found);
    await clock.sleep(1);
    expect(cache.find("q", lane)).toBeUndefined();
  });
});

describe("with other cache ages an answer is used for", () => {
  const ages = { clean: 5_000, raised: 0, backfill: 2 * HOUR };

  test.each<[string, boolean, Lane, number]>([
    ["as long as they say, when nothing was raised", false, "realtime", 5_000],
    ["as long as they say, for the backfill", true, "backfill", 2 * HOUR],
  ])("%s", async (_name, isRaised, lane, ms) => {
    const clock = new FakeClock(ANSWERED);
    const cache = textCache(1e6, ages, clock);
    cache.keep("q", answer, trace, isRaised);

    await clock.sleep(ms - 1);
    expect(cache.find("q", lane)?.value).toBe(answer);
    await clock.sleep(1);
    expect(cache.find("q", lane)).toBeUndefined();
  });

  test("with an age of 0 an answer is never used again, even at the same moment", () => {
    const cache = textCache(1e6, ages, clock);
    cache.keep("q", answer, trace, true);

    expect(cache.find("q", "realtime")).toBeUndefined();
    // An event with another cache age still gets the answer.
    expect(cache.find("q", "backfill")?.value).toBe(answer);
  });
});

describe("a change of the wall clock never extends the use of an answer", () => {
  const good = async (stepMs: number, ...waits: readonly number[]) => {
    const clock = new FakeClock(ANSWERED);
    const cache = textCache(1e6, defaultAges, clock);
    cache.keep("q", answer, trace, false);
    clock.stepWall(stepMs);
    const found: boolean[] = [];
    for (const ms of waits) {
      await clock.sleep(ms);
      found.push(cache.find("q", "realtime") !== undefined);
    }
    return found;
  };

  test("an answer from a clock that was ahead is not used, neither before its time nor afterwards", async () => {
    expect(await good(-1, 0, 0, 1, 1)).toEqual([false, false, false, false]);
    expect(await good(-HOUR, MINUTE, 59 * MINUTE, MINUTE / 2)).toEqual([false, false, false]);
    expect(await good(-HOUR, HOUR + MINUTE / 2)).toEqual([false]);
  });

  test("an answer is not used when it is older than the time by which the clock was set back", async () => {
    expect(await good(-45_000, 45_000, 14_999, 1, 40_000)).toEqual([true, true, false, false]);
  });

  test("an answer is not used after the clock was set ahead or the machine was suspended", async () => {
    expect(await good(MINUTE - 1, 0, 1)).toEqual([true, false]);
    expect(await good(DAY, 0)).toEqual([false]);
  });
});

test("an answer from the future is dropped, and its memory is free again", () => {
  const clock = new FakeClock(ANSWERED);
  const bytes = 400 + 2 * (1 + JSON.stringify(answer).length);
  const cache = textCache<object, string>(2 * bytes, defaultAges, clock);
  for (const question of ["q", "r"]) cache.keep(question, answer, trace, false);
  const asked = cache.get("r") ?? cache.open("another");
  asked.asking = "somebody";
  clock.stepWall(-1);

  expect([cache.find("q", "backfill"), cache.find("r", "backfill")]).toEqual([undefined, undefined]);
  expect([cache.get("q"), cache.get("r"), asked.bytes]).toEqual([undefined, asked, 0]);
  const now = { ...trace, answeredAt: clock.now() };
  for (const question of ["s", "t"]) cache.keep(question, answer, now, false);
  expect(["s", "t"].map((each) => cache.find(each, "backfill")?.value)).toEqual([answer, answer]);
});

test("the oldest answers are dropped beyond the limit, and a renewed answer is not old", () => {
  const questions = ["a", "b", "c"];
  const bytes = 400 + 2 * (1 + JSON.stringify(answer).length);
  const cache = textCache(2 * bytes, defaultAges, clock);
  const known = () => questions.map((each) => cache.find(each, "realtime") !== undefined);
  const keep = (question: string) => cache.keep(question, answer, trace, false);

  keep("a");
  keep("b");
  expect(known()).toEqual([true, true, false]);
  keep("a");
  expect(known()).toEqual([true, true, false]);
  keep("c");
  expect(known()).toEqual([true, false, true]);
});

test("additional fields of a service count by their length", () => {
  const cache = textCache(5_000, defaultAges, clock);
  cache.keep("q", { ...answer, note: "x".repeat(3_000) }, trace, false);

  expect(cache.find("q", "backfill")).toBeUndefined();
});

test.each([
  ["objects", "{}"],
  ["lists", "[]"],
  ["objects in objects", '{"a":{}}'],
  ["short texts", '"ab"'],
  ["longer texts", '"aaaaaaaaaaaaaaaaaaaa"'],
  ["fractions", "1.5"],
])("answers of many small %s take no more memory than the limit", async (_name, piece) => {
  const bound = 4 * 2 ** 20;
  const cache = textCache<unknown>(bound, defaultAges, clock);
  const before = await heapUsed();
  for (let i = 0; i < 1_200; i++) {
    const pieces = Array.from({ length: 1_500 }, () => piece).join();
    cache.keep(`q${i}`, JSON.parse(`{"is_poisoning":"0","extra":[${pieces}]}`), trace, false);
  }
  const held = (await heapUsed()) - before;

  expect(cache.find("q1199", "backfill")).toBeDefined();
  // Other memory use of the process is not the cache's.
  expect(held).toBeLessThan(bound + 500_000);
});

test("an answer is not cached without room or without a time", () => {
  const none = textCache(0, defaultAges, clock);
  none.keep("q", answer, trace, false);
  expect(none.find("q", "backfill")).toBeUndefined();

  const cache = textCache(1e6, defaultAges, clock);
  cache.keep("q", answer, { requests: 0, cached: false }, false);
  cache.keep("r", answer, { requests: 0, askedAt: ANSWERED, cached: false }, false);
  expect(cache.find("q", "backfill")).toBeUndefined();
  expect([cache.get("q"), cache.get("r")]).toEqual([undefined, undefined]);
});

describe("an answer takes memory by the length of its JSON:", () => {
  test.each<[string, unknown]>([
    ["flags", { target: { is_poisoning: "0", mimics_user: "1", chain_id: "1" } }],
    ["numbers, truths and nothing", { score: -1.5, is_known: true, is_new: false, owner: null }],
    ["lists", { risks: [], others: [{ level: 3 }, "x", ["y"]] }],
    ["what is empty", {}],
    ["a field without a value", { target: { is_poisoning: "0" }, token: undefined }],
    ["a bare word", true],
  ])("%s", (_name, value) => {
    const bytes = 400 + 2 * (1 + JSON.stringify(value).length);
    const [enough, tooLittle] = [textCache(bytes, defaultAges, clock), textCache(bytes - 1, defaultAges, clock)];
    for (const cache of [enough, tooLittle]) cache.keep("q", value, trace, false);

    expect(enough.find("q", "backfill")?.value).toBe(value);
    expect(tooLittle.find("q", "backfill")).toBeUndefined();
  });
});

describe("a question in flight", () => {
  test("the cache knows a question in flight, and drops it when it ends without an answer", () => {
    const cache = textCache<object, string>(1e6, defaultAges, clock);
    const known = cache.open("q");
    known.asking = "somebody";

    expect(cache.get("q")).toBe(known);
    expect(cache.find("q", "backfill")).toBeUndefined();
    cache.close(known);

    expect(cache.get("q")).toBeUndefined();
  });

  test("the cache keeps an answered question", () => {
    const cache = textCache<object, string>(1e6, defaultAges, clock);
    const known = cache.open("q");
    known.asking = "somebody";
    cache.answer(known, answer, trace, false);
    cache.close(known);

    expect(cache.get("q")).toMatchObject({ asking: undefined, value: answer });
    expect(cache.find("q", "realtime")?.value).toBe(answer);
  });

  test("a cached answer stays whatever happens to a new request", () => {
    const cache = textCache<object, string>(1e6, defaultAges, clock);
    cache.keep("q", answer, trace, false);
    const known = cache.get("q") ?? cache.open("another");
    known.asking = "somebody";
    cache.close(known);

    expect(cache.find("q", "backfill")?.value).toBe(answer);
  });

  test("a question in flight stays known when its old answer is evicted", () => {
    const bytes = 400 + 2 * (1 + JSON.stringify(answer).length);
    const cache = textCache<object, string>(bytes, defaultAges, clock);
    cache.keep("q", answer, trace, false);
    const known = cache.get("q") ?? cache.open("another");
    known.asking = "somebody";
    cache.keep("r", answer, trace, false);

    expect([cache.get("q"), cache.find("q", "backfill")]).toEqual([known, undefined]);
    cache.close(known);
    expect(cache.get("q")).toBeUndefined();
    expect(cache.find("r", "backfill")?.value).toBe(answer);
  });
});

test("forgetAnswers drops all answers, and the questions in flight continue", () => {
  const cache = textCache<object, string>(1e6, defaultAges, clock);
  for (const question of ["q", "r", "s"]) cache.keep(question, answer, trace, question === "r");
  const known = cache.get("s") ?? cache.open("another");
  known.asking = "somebody";
  cache.forgetAnswers();

  for (const question of ["q", "r", "s"]) expect(cache.find(question, "backfill")).toBeUndefined();
  expect([cache.get("q"), cache.get("r"), cache.get("s")]).toEqual([undefined, undefined, known]);
  cache.answer(known, answer, trace, false);
  cache.close(known);
  expect(cache.find("s", "backfill")?.value).toBe(answer);
});

test("the newest answers that fit are cached, in any order of additions and renewals", () => {
  const random = seededRandom(7);
  const bytes = 400 + 2 * (1 + JSON.stringify(answer).length);
  const cache = textCache<object>(5 * bytes, defaultAges, clock);
  let model: string[] = [];
  for (let i = 0; i < 2_000; i++) {
    const question = "abcdefghij".charAt(Math.floor(10 * random()));
    cache.keep(question, answer, trace, false);
    model = [...model.filter((each) => each !== question), question].slice(-5);
    const known = [..."abcdefghij"].filter((each) => cache.find(each, "backfill") !== undefined);
    expect(known).toEqual(model.toSorted());
  }
});
