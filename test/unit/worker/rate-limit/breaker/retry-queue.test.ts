import { describe, expect, test } from "vitest";
import { AnswerInvalidError, UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import { RetryQueue } from "../../../../../src/worker/rate-limit/breaker/retry-queue.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const failure = new UnavailableError("503");
const timeout = new UnavailableError("no answer in time", { timeout: true });

/** A line whose budget is empty, while one request is on its way. */
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

describe("what the budget pays for", () => {
  test.each([
    ["failure", failure, 100],
    ["answer that is none", new AnswerInvalidError("another item"), 100],
    ["timeout", timeout, 50],
  ])("goes at once: so many after a %s", async (_name, error, retries) => {
    const line = new RetryQueue({
      clock: new VirtualClock(0),
      log: new FakeLog(),
      signal: new AbortController().signal,
      isAnyoneNext: () => true,
    });

    for (let i = 0; i < retries; i++) await line.wait(error, []);

    expect([line.size, line.spend(failure)]).toEqual([0, false]);
  });

  test("goes in the order in which it came, five answers later, ten after a timeout", async () => {
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

  test("is nothing for who did not wait, while somebody does", async () => {
    const { line, wait, answer } = emptyLine();
    wait("first", timeout);
    await answer(5);

    expect(line.spend(failure)).toBe(false);
    await answer(10);
    expect(line.spend(failure)).toBe(true);
  });
});

describe("when nothing is on its way, and nobody is next", () => {
  test("one goes for nothing, and the next when that has ended", async () => {
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

  test("so does one that comes then", async () => {
    const { line, gone, wait } = emptyLine();
    line.ended();
    wait("first");
    await settled();

    expect(gone).toEqual(["first"]);
  });

  test("but not while somebody is next", async () => {
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

  test("one that nobody asks any more holds up the next for a second", async () => {
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

describe("what is wanted in realtime", () => {
  test("goes for nothing after ten seconds, whoever else waits; the backfill does not", async () => {
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

  test("if only since it waits", async () => {
    const { clock, gone, wait } = emptyLine();
    const turn = someTurn("backfill");
    wait("joined", failure, [turn]);
    await clock.advance(60_000);
    turn.lane = "realtime";
    await clock.advance(1_000);

    expect(gone).toEqual(["joined"]);
  });
});

test("the end of the run ends the waiting, of who comes later, too", async () => {
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

test("it is said once, until the budget is full again", async () => {
  const { log, wait, answer, line } = emptyLine();
  wait("first");
  await answer(5);
  wait("second");
  expect(log.messages("warn")).toEqual(["so many requests fail that repeating them waits, until others are answered"]);

  await answer(504);
  while (line.spend(failure));
  wait("third");
  expect(log.messages("warn")).toHaveLength(1);
  await answer(505);
  while (line.spend(failure));
  wait("fourth");
  expect(log.messages("warn")).toHaveLength(2);
});

test("what nothing waits for any more leaves the line within a second, and its tokens to others", async () => {
  const { clock, line, gone, wait } = emptyLine();
  const [left, stays] = [someTurn("backfill"), someTurn("backfill")];
  wait("left", failure, [left]);
  wait("both", failure, [left, stays]);

  left.isAbandoned = true;
  await clock.advance(1_000);

  expect([gone, line.size]).toEqual([["left"], 1]);
});
