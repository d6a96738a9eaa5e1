import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/random.ts";
import { UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import type { Slots } from "../../../../../src/worker/ports.ts";
import { askWithRetries } from "../../../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const QUESTIONS = 3_000;
const LATENCY_MS = 100;

/** Fifty a second. */
function slotsOf(clock: VirtualClock): Slots {
  let next = 0;
  return {
    async run(job) {
      const at = Math.max(next, clock.ticks());
      next = at + 20;
      await clock.sleep(at - clock.ticks());
      return job();
    },
    pace: () => undefined,
  };
}

/**
 * A backfill of questions that travel alone, so many of them in flight at once, in a brown-out in which so many of its
 * requests fail.
 */
async function backfill(failing: number, inFlight: number) {
  const clock = new VirtualClock(0);
  const random = seededRandom(1);
  const gate = openGate(clock, { slots: slotsOf(clock), random });
  const deps = { gate, clock, random, signal: new AbortController().signal };
  let [onTheWay, answers, requests] = [0, 0, 0];
  /** Repetitions that left while something was on its way, and how many of them answers had not paid for, at most. */
  let [beside, unpaid] = [0, 0];
  const send = async (isFirst: boolean) => {
    if (!isFirst && onTheWay > 0) unpaid = Math.max(unpaid, ++beside - 100 - Math.floor(answers / 5));
    requests++;
    onTheWay++;
    await clock.sleep(LATENCY_MS);
    onTheWay--;
    if (random() < failing) throw new UnavailableError("the service answered 500");
    answers++;
    return "0";
  };
  /** How often those were asked that have no answer. */
  const unanswered: number[] = [];
  let next = 0;
  const askAll = async () => {
    while (next < QUESTIONS) {
      let attempts = 0;
      const question = { event: `event ${next++}`, turn: someTurn("backfill") };
      const { ok, trace } = await askWithRetries(question, () => send(attempts++ === 0), deps);
      if (!ok) unanswered.push(trace.requests);
    }
  };
  await clock.runUntil(Promise.all(Array.from({ length: inFlight }, askAll)));
  return { unanswered, sent: { requests, beside, unpaid, seconds: Math.round(clock.ticks() / 1_000) } };
}

describe("of a backfill in a brown-out only those few have no answer that failed five times", () => {
  test.each([
    { inFlight: QUESTIONS, unanswered: 6, sent: { requests: 4_248, beside: 697, unpaid: 0, seconds: 129 } },
    { inFlight: 400, unanswered: 4, sent: { requests: 4_251, beside: 697, unpaid: 0, seconds: 139 } },
  ])("of three in ten requests, $inFlight in flight: beside others one is repeated for five answers", async (run) => {
    const { unanswered, sent } = await backfill(0.3, run.inFlight);

    expect(unanswered).toEqual(Array(run.unanswered).fill(5));
    expect(sent).toEqual(run.sent);
  });

  test("of six in ten, in which the breaker opens now and then", async () => {
    const { unanswered, sent } = await backfill(0.6, 400);

    expect(Math.min(...unanswered)).toBe(5);
    expect({ ...sent, unanswered: unanswered.length }).toEqual({
      requests: 6_947,
      beside: 658,
      unpaid: 4,
      seconds: 542,
      unanswered: 223,
    });
  });
});
