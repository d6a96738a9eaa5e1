import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { UnavailableError } from "../../../../../src/worker/answers/service-errors.ts";
import type { Slots } from "../../../../../src/worker/ports.ts";
import { askWithRetries } from "../../../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const QUESTIONS = 3_000;
const LATENCY_MS = 100;

/** Fifty per second. */
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
 * A backfill of single questions in a brown-out.
 *
 * @param failing share of the requests that fail.
 * @param inFlight questions in flight at once.
 */
async function backfill(failing: number, inFlight: number) {
  const clock = new VirtualClock(0);
  const random = seededRandom(1);
  const gate = openGate(clock, { slots: slotsOf(clock), random });
  const deps = { gate, clock, random, signal: new AbortController().signal };
  let [onTheWay, answers, requests] = [0, 0, 0];
  /** Retries that left while a request was in flight, and the most of those that no answers had paid for. */
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
  /** Number of requests of each question that has no answer. */
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

describe("in a brown-out only the few backfill questions that failed five times have no answer", () => {
  test.each([
    { inFlight: QUESTIONS, unanswered: 6, sent: { requests: 4_248, beside: 697, unpaid: 0, seconds: 129 } },
    { inFlight: 400, unanswered: 4, sent: { requests: 4_251, beside: 697, unpaid: 0, seconds: 139 } },
  ])("with three in ten requests failing and $inFlight in flight, five answers pay for one retry", async (run) => {
    const { unanswered, sent } = await backfill(0.3, run.inFlight);

    expect(unanswered).toEqual(Array(run.unanswered).fill(5));
    expect(sent).toEqual(run.sent);
  });

  test("with six in ten requests failing the circuit breaker opens now and then", async () => {
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
