import { describe, expect, test } from "vitest";
import type { AppError } from "../../../../../src/kernel/errors.ts";
import {
  AnswerInvalidError,
  NotReadyError,
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { askWithRetries } from "../../../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { askingDeps } from "../../../../fakes/asking.ts";
import type { FakeClock } from "../../../../fakes/fake-clock.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const question = (event = "e") => ({ event, turn: someTurn() });
const START = Date.UTC(2026, 0, 1);

const depsOf = (more: Parameters<typeof askingDeps>[1] = {}) => askingDeps(START, more);

/** Fails with these errors, one per call, then answers. Every call takes 10 ms. */
function failingWith(errors: readonly Error[], clock: FakeClock) {
  let calls = 0;
  const ask = async () => {
    const error = errors[calls++];
    await clock.sleep(10);
    clock.slept.pop();
    if (error !== undefined) throw error;
    return "answer";
  };
  return { ask, calls: () => calls };
}

const times = (count: number, error: AppError) => Array.from({ length: count }, () => error);
const unavailable = new UnavailableError("the service answered 503");

test("an answer comes with its one request and its times", async () => {
  const deps = depsOf();

  expect(await askWithRetries(question(), failingWith([], deps.clock).ask, deps)).toEqual({
    ok: true,
    value: "answer",
    trace: { requests: 1, cached: false, askedAt: START, answeredAt: START + 10 },
  });
});

test("an undefined answer is an answer", async () => {
  const outcome = await askWithRetries(question(), async () => undefined, depsOf());

  expect(outcome).toMatchObject({ ok: true, value: undefined });
});

describe("a failure", () => {
  test("a failure is followed by another request, after longer and longer waits", async () => {
    const deps = depsOf();
    const { ask } = failingWith(times(4, unavailable), deps.clock);

    const outcome = await askWithRetries(question(), ask, deps);

    expect(outcome).toMatchObject({ ok: true, trace: { requests: 5, askedAt: START, answeredAt: START + 1_925 } });
    expect(deps.clock.slept).toEqual([125, 250, 500, 1_000]);
  });

  test.each<[AppError, number, readonly number[]]>([
    [unavailable, 5, [125, 250, 500, 1_000]],
    [new NotReadyError("still running"), 5, [125, 250, 500, 1_000]],
    [new AnswerInvalidError("another item"), 3, [125, 250]],
    [new RejectedError("the service answered 422"), 1, []],
  ])("%s that persists is the answer after %i requests", async (error, requests, waits) => {
    const deps = depsOf();
    const { ask, calls } = failingWith(times(9, error), deps.clock);

    const outcome = await askWithRetries(question(), ask, deps);

    const answeredAt = START + 10 * requests + waits.reduce((a, b) => a + b, 0);
    expect(outcome).toEqual({ ok: false, error, trace: { requests, cached: false, askedAt: START, answeredAt } });
    expect(calls()).toBe(requests);
    expect(deps.clock.slept).toEqual(waits);
  });

  test("a failure of another kind ends the attempts by its own limit", async () => {
    const deps = depsOf();
    const { ask } = failingWith([unavailable, unavailable, new AnswerInvalidError("another item")], deps.clock);

    expect(await askWithRetries(question(), ask, deps)).toMatchObject({
      ok: false,
      error: { code: "ANSWER_INVALID" },
      trace: { requests: 3 },
    });
  });

  test.each<[string, AppError]>([
    ["a used up quota", new RateLimitedError("429", 100)],
    ["a refused key", new UnauthorizedError("401")],
  ])("a failure that is %s costs no attempt", async (_name, error) => {
    const deps = depsOf();
    const errors = [unavailable, ...times(50, error), unavailable, unavailable, unavailable];
    const { ask } = failingWith(errors, deps.clock);

    expect(await askWithRetries(question(), ask, deps)).toMatchObject({ ok: true, trace: { requests: 55 } });
  });

  test("a failure of a service that is down costs no attempt", async () => {
    const deps = depsOf();
    for (let i = 0; i < 9; i++) {
      const run = deps.gate.run(() => ({ events: [`event ${i}`], answer: Promise.reject(unavailable) }), someTurn());
      await expect(run).rejects.toBe(unavailable);
    }
    const { ask } = failingWith(times(20, unavailable), deps.clock);

    expect(await askWithRetries(question("the tenth"), ask, deps)).toMatchObject({ ok: true, trace: { requests: 21 } });
  });

  test("a retry waits until the retry budget covers it", async () => {
    const clock = new VirtualClock();
    const gate = openGate(clock);
    while (gate.mayRetry(unavailable));
    const run = (answer: Promise<unknown>) => gate.run(() => ({ events: ["another"], answer }), someTurn());
    void run(clock.sleep(60_000));
    const errors = [unavailable];
    const ask = async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
      return "answer";
    };
    const deps = { gate, clock, random: () => 0.5, signal: new AbortController().signal };
    const asked = askWithRetries({ event: "e", turn: someTurn("backfill") }, ask, deps);
    for (let i = 0; i < 4; i++) await run(Promise.resolve());
    await clock.advance(30_000);
    expect(gate.isQueued).toBe(true);

    await run(Promise.resolve());

    const start = Date.UTC(2026, 0, 1);
    expect(await asked).toMatchObject({ ok: true, trace: { requests: 2, askedAt: start, answeredAt: start + 30_000 } });
    expect(gate.isQueued).toBe(false);
  });

  test("no retry follows after an abort", async () => {
    const clock = new VirtualClock();
    const gate = openGate(clock);
    while (gate.mayRetry(unavailable));
    void gate.run(() => ({ events: ["another"], answer: clock.sleep(60_000) }), someTurn());
    const deps = { gate, clock, random: () => 0.5, signal: new AbortController().signal };
    const asked = askWithRetries(question(), () => Promise.reject(unavailable), deps);
    const end = expect(asked).rejects.toThrow("the end");
    await clock.advance(1_000);

    gate.abandon(new Error("the end"));

    await end;
  });
});

describe("a key that is refused for one question while another is answered", () => {
  const refused = new UnauthorizedError("the service answered 403");
  /** @returns how the refused question ended, if it ended by the hundredth answer to the other question. */
  const endOf = async (reloadKey: () => Promise<boolean>) => {
    const deps = depsOf({ reloadKey });
    let ending: unknown;
    askWithRetries(question("refused"), () => Promise.reject(refused), deps).then((outcome) => {
      ending = outcome;
    }, String);
    for (let i = 0; i < 100 && ending === undefined; i++)
      await askWithRetries(question("other"), async () => "answer", deps);
    return ending;
  };

  test("after eight refusals the question itself is at fault", async () => {
    expect(await endOf(async () => false)).toMatchObject({ ok: false, error: refused, trace: { requests: 8 } });
  });

  test("the count of refusals restarts with each new key", async () => {
    let reloads = 0;
    expect(await endOf(async () => ++reloads === 5)).toMatchObject({ ok: false, trace: { requests: 13 } });
  });
});

describe("a thrown value", () => {
  test("a bug is thrown unchanged", async () => {
    const deps = depsOf();
    const bug = new TypeError("x is undefined");

    await expect(askWithRetries(question(), failingWith([bug], deps.clock).ask, deps)).rejects.toBe(bug);
  });

  test("the end of the run is thrown", async () => {
    const deps = depsOf({ keyIsFixed: true });
    const { ask, calls } = failingWith(times(9, new UnauthorizedError("401")), deps.clock);

    await expect(askWithRetries(question(), ask, deps)).rejects.toThrow(new ServiceDownError("the API key is refused"));
    expect(calls()).toBe(1);
  });

  test("a request that an abort interrupts throws the error of that request", async () => {
    const stop = new AbortController();
    const deps = depsOf({ signal: stop.signal });
    const ask = async () => {
      stop.abort(new Error("stop"));
      throw unavailable;
    };

    await expect(askWithRetries(question(), ask, deps)).rejects.toBe(unavailable);
  });

  test("an earlier abort throws its reason, and no request is sent", async () => {
    const deps = depsOf({ signal: AbortSignal.abort(new Error("stop")) });
    const { ask, calls } = failingWith([], deps.clock);

    await expect(askWithRetries(question(), ask, deps)).rejects.toThrow("stop");
    expect(calls()).toBe(0);
  });
});
