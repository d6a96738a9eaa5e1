import { describe, expect, test } from "vitest";
import { RejectedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { poll } from "../../../../src/worker/checks/poll.ts";
import { PollWaits } from "../../../../src/worker/checks/poll-waits.ts";
import { askingDeps } from "../../../fakes/asking.ts";
import { someTurn } from "../../../fakes/turns.ts";

const question = () => ({ event: "e", turn: someTurn() });
const START = Date.UTC(2026, 0, 1);

function depsOf(signal = new AbortController().signal) {
  const changes: number[] = [];
  const observer = { polls: (change: 1 | -1) => void changes.push(change) };
  return { ...askingDeps(START, { signal }), observer, polls: new PollWaits(), changes };
}

/** Polls a service that gives these answers in order. The last answer repeats. */
async function polled(...answers: readonly (string | number | Error)[]) {
  const deps = depsOf();
  let requests = 0;
  const ask = async () => {
    const answer = answers[Math.min(requests++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return typeof answer === "number" ? { pollAfterMs: answer } : { ready: answer ?? "" };
  };
  const outcome = await poll(question(), ask, deps);
  return { outcome, requests, slept: deps.clock.slept };
}

test("a ready analysis is the answer", async () => {
  expect(await polled("ready")).toEqual({
    outcome: { ok: true, value: "ready", trace: { requests: 1, cached: false, askedAt: START, answeredAt: START } },
    requests: 1,
    slept: [],
  });
});

describe("an analysis that is not ready", () => {
  test("the analysis is polled when the service says, every request counts, and the first request sets the time", async () => {
    expect(await polled(3_000, 10_000, "ready")).toEqual({
      outcome: {
        ok: true,
        value: "ready",
        trace: { requests: 3, cached: false, askedAt: START, answeredAt: START + 13_000 },
      },
      requests: 3,
      slept: [3_000, 10_000],
    });
  });

  test("the delays grow when the service wants the next poll at once", async () => {
    expect(await polled(0, 0, 1_000, 0, "ready")).toMatchObject({
      outcome: { ok: true },
      slept: [500, 1_000, 1_000, 4_000],
    });
  });

  test.each([
    [[10_001], 1, []],
    [[500, 3_600_000], 2, [500]],
  ])("a delay of more than ten seconds puts the analysis off: %j", async (answers, requests, slept) => {
    expect(await polled(...answers)).toEqual({ outcome: { ok: "later", afterMs: answers.at(-1) }, requests, slept });
  });

  test("after six polls the analysis is put off, however short the delay", async () => {
    expect(await polled(1_000, 1_000, 1_000, 1_000, 1_000, 2_000)).toEqual({
      outcome: { ok: "later", afterMs: 2_000 },
      requests: 6,
      slept: [1_000, 1_000, 1_000, 1_000, 1_000],
    });
  });

  test("the sixth poll may still bring the answer", async () => {
    expect(await polled(1_000, 1_000, 1_000, 1_000, 1_000, "ready")).toMatchObject({
      outcome: { ok: true, value: "ready", trace: { requests: 6 } },
      requests: 6,
    });
  });

  test("the analysis is put off by the longest wait in memory when the last poll wants the next one at once", async () => {
    expect(await polled(0)).toMatchObject({
      outcome: { ok: "later", afterMs: 10_000 },
      requests: 6,
      slept: [500, 1_000, 2_000, 4_000, 8_000],
    });
  });
});

describe("a failure between polls", () => {
  test("a failed poll is retried like any request, and counts as a request", async () => {
    const { outcome, slept } = await polled(1_000, new UnavailableError("503"), "ready");

    expect(outcome).toEqual({
      ok: true,
      value: "ready",
      trace: { requests: 3, cached: false, askedAt: START, answeredAt: START + 1_125 },
    });
    expect(slept).toEqual([1_000, 125]);
  });

  test("a failure that stays is the outcome, with all previous requests", async () => {
    const error = new RejectedError("422");

    expect((await polled(1_000, error)).outcome).toEqual({
      ok: false,
      error,
      trace: { requests: 2, cached: false, askedAt: START, answeredAt: START + 1_000 },
    });
  });
});

test("an abort between polls is thrown", async () => {
  const stop = new AbortController();
  const deps = depsOf(stop.signal);
  const ask = async () => {
    stop.abort(new Error("stop"));
    return { pollAfterMs: 1_000 };
  };

  await expect(poll(question(), ask, deps)).rejects.toThrow("stop");
});

test("the start and the end of each wait between polls are reported, however the wait ends", async () => {
  const deps = depsOf();
  const answers = [{ pollAfterMs: 1_000 }, { pollAfterMs: 1_000 }];
  await poll(question(), async () => answers.shift() ?? { ready: "ready" }, deps);
  expect(deps.changes).toEqual([1, -1, 1, -1]);

  const stop = new AbortController();
  const aborted = depsOf(stop.signal);
  const ask = async () => {
    stop.abort(new Error("stop"));
    return { pollAfterMs: 1_000 };
  };
  await expect(poll(question(), ask, aborted)).rejects.toThrow("stop");
  expect(aborted.changes).toEqual([1, -1]);
});
