import { describe, expect, test } from "vitest";
import { AnswerInvalidError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { RetryQueue } from "../../../../../src/worker/rate-limit/breaker/retry-queue.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const failure = new UnavailableError("503");
const timeout = new UnavailableError("no answer in time", { timeout: true });

/** A queue with an empty budget, while one request is in flight. */
function emptyLine() {
  const [clock, log, ending] = [new VirtualClock(0), new FakeLog(), new AbortController()];
  const next = { is: false };
  const line = new RetryQueue({ clock, log, signal: ending.signal, isAnyoneNext: () => next.is });
  line.sent();
  while (line.spend(failure));
  const gone: string[] = [];
  const wait = (name: string, error = failure, of = [someTurn("backfill")]) => {
    line.wait(error, of).then(
      () => gone.push(name),
      (thrown: unknown) => gone.push(`${name}: ${thrown}`),
    );
  };
  const answer = (count: number) => {
    for (let i = 0; i < count; i++) line.answered();
    return settled();
  };
  return { clock, log, ending, next, line, gone, wait, answer };
}

describe("a retry that the budget covers", () => {
  test.each([
    ["failure", failure, 100],
    ["answer that is none", new AnswerInvalidError("another item"), 100],
    ["timeout", timeout, 50],
  ])("a full budget releases retries at once after a %s", async (_name, error, retries) => {
    const line = new RetryQueue({
      clock: new VirtualClock(0),
      log: new FakeLog(),
      signal: new AbortController().signal,
      isAnyoneNext: () => true,
    });

    for (let i = 0; i < retries; i++) await line.wait(error, []);

    expect([line.size, line.spend(failure)]).toEqual([0, false]);
  });

  test("waiting retries are released in order, after five answers each, or ten after a timeout", async () => {
    const { line, gone, wait, answer } = emptyLine();
    wait("first");
    wait("second", timeout);
    wait("third");
    const seen = [];
    for (const answers of [4, 1, 5, 4, 1, 5]) {
      await answer(answers);
      seen.push([...gone]);
    }

    const two = ["first", "second"];
    expect(seen).toEqual([[], ["first"], ["first"], ["first"], two, [...two, "third"]]);
    expect(line.size).toBe(0);
  });

  test("a retry that did not wait gets no token while another one waits", async () => {
    const { line, wait, answer } = emptyLine();
    wait("first", timeout);
    await answer(5);

    expect(line.spend(failure)).toBe(false);
    await answer(10);
    expect(line.spend(failure)).toBe(true);
  });
});

describe("when no request is in flight and none is queued", () => {
  test("one retry is free, and the next one is free when its request has ended", async () => {
    const { line, gone, wait, answer } = emptyLine();
    wait("first");
    wait("second");
    line.look();
    await settled();
    expect(gone).toEqual([]);

    line.ended();
    line.look();
    line.look();
    await settled();
    expect(gone).toEqual(["first"]);

    line.sent();
    line.look();
    line.ended();
    line.look();
    await answer(0);
    expect(gone).toEqual(["first", "second"]);
  });

  test("a retry that comes then is free, too", async () => {
    const { line, gone, wait } = emptyLine();
    line.ended();
    wait("first");
    await settled();

    expect(gone).toEqual(["first"]);
  });

  test("no retry is free while a request is queued", async () => {
    const { clock, line, gone, wait, next } = emptyLine();
    line.ended();
    next.is = true;
    wait("first");
    await clock.advance(60_000);
    expect(gone).toEqual([]);

    next.is = false;
    await clock.advance(1_000);
    expect(gone).toEqual(["first"]);
  });

  test("a free retry that no event needs any more delays the next one by a second", async () => {
    const { clock, line, gone, wait } = emptyLine();
    wait("first");
    wait("second");
    wait("third");
    line.ended();
    line.look();
    await clock.advance(999);
    expect(gone).toEqual(["first"]);

    await clock.advance(1);
    expect(gone).toEqual(["first", "second"]);
    await clock.advance(1_000);
    expect(gone).toEqual(["first", "second", "third"]);
  });
});

describe("a realtime retry", () => {
  test("a realtime retry is free after ten seconds even if others wait, and a backfill retry is not", async () => {
    const { clock, gone, wait } = emptyLine();
    wait("backfill");
    wait("both", failure, [someTurn("backfill"), someTurn("realtime")]);
    wait("realtime", failure, [someTurn("realtime")]);
    await clock.advance(9_999);
    expect(gone).toEqual([]);

    await clock.advance(1);
    expect(gone).toEqual(["both", "realtime"]);
    await clock.advance(3_600_000);
    expect(gone).toEqual(["both", "realtime"]);
  });

  test("a retry that becomes realtime later is free ten seconds after it began to wait", async () => {
    const { clock, gone, wait } = emptyLine();
    const turn = someTurn("backfill");
    wait("joined", failure, [turn]);
    await clock.advance(60_000);
    turn.lane = "realtime";
    await clock.advance(1_000);

    expect(gone).toEqual(["joined"]);
  });
});

test("the end of the run rejects all waiting retries, and those that come later", async () => {
  const { clock, ending, line, gone, wait } = emptyLine();
  wait("first");
  ending.abort("the end");
  await settled();
  wait("second");
  await settled();

  expect([gone, line.size]).toEqual([["first: the end", "second: the end"], 0]);
  await clock.advance(60_000);
  expect(clock.sleeping).toBe(0);
});

test("a waiting retry is logged once, until the budget is full again", async () => {
  const { log, wait, answer, line } = emptyLine();
  wait("first");
  await answer(5);
  wait("second");
  expect(log.messages("warn")).toEqual([
    "too many requests fail: Weir repeats requests only after other requests succeed",
  ]);

  await answer(504);
  while (line.spend(failure));
  wait("third");
  expect(log.messages("warn")).toHaveLength(1);
  await answer(505);
  while (line.spend(failure));
  wait("fourth");
  expect(log.messages("warn")).toHaveLength(2);
});

test("a retry that no event needs any more leaves the queue within a second and takes no tokens", async () => {
  const { clock, line, gone, wait } = emptyLine();
  const [left, stays] = [someTurn("backfill"), someTurn("backfill")];
  wait("left", failure, [left]);
  wait("both", failure, [left, stays]);

  left.isAbandoned = true;
  await clock.advance(1_000);

  expect([gone, line.size]).toEqual([["left"], 1]);
});
