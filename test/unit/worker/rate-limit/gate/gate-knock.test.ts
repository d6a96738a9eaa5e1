import { describe, expect, test } from "vitest";
import {
  RateLimitedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { askWithRetries } from "../../../../../src/worker/rate-limit/gate/ask-with-retries.ts";
import type { GateDeps } from "../../../../../src/worker/rate-limit/gate/gate.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { VirtualClock } from "../../../../fakes/virtual-clock.ts";

const unavailable = new UnavailableError("the service answered 500");
const HOUR_MS = 3_600_000;

/** A service that answers a health probe as `onKnock` says, and questions for which the test decides the outcome. */
function setup(onKnock: () => Promise<unknown>, own: Partial<GateDeps> = {}) {
  const clock = new VirtualClock(0);
  /** When each health probe was sent. */
  const knocks: number[] = [];
  const knock = () => {
    knocks.push(clock.ticks());
    return onKnock();
  };
  const gate = openGate(clock, { knock, ...own });
  /** When each request about an event was sent. */
  const requests = new Map<string, number[]>();
  const ended = new Map<string, { readonly atMs: number; readonly how: string }>();
  const ask = (event: string, answer: () => Promise<string>, turn = someTurn()) => {
    const send = () => {
      requests.set(event, [...(requests.get(event) ?? []), clock.ticks()]);
      return answer();
    };
    const deps = { gate, clock, random: () => 0.5, signal: new AbortController().signal };
    askWithRetries({ event, turn }, send, deps).then(
      (outcome) => ended.set(event, { atMs: clock.ticks(), how: outcome.ok ? outcome.value : outcome.error.code }),
      (thrown: unknown) => ended.set(event, { atMs: clock.ticks(), how: String(thrown) }),
    );
  };
  const askMany = (count: number, answer: () => Promise<string>) => {
    // No two requests fail at the same moment.
    for (let i = 0; i < count; i++) ask(`event ${i}`, () => clock.sleep(10 + i).then(answer));
  };
  const sum = () => [...requests.values()].reduce((total, times) => total + times.length, 0);
  return { gate, clock, knocks, requests, ended, ask, askMany, sum };
}

const fails = () => Promise.reject(unavailable);
const isUp = async () => "up";

describe("questions that always fail at a service that is up", () => {
  test("twelve questions that always fail each end after their five attempts, within a minute", async () => {
    const { clock, knocks, requests, ended, askMany, sum, gate } = setup(isUp);
    askMany(12, fails);
    await clock.advance(60_000);

    expect([...ended.values()].map(({ how }) => how)).toEqual(Array(12).fill("UNAVAILABLE"));
    expect(gate.closed).toBeUndefined();
    expect({ requests: sum(), knocks: knocks.length }).toEqual({ requests: 80, knocks: 5 });
    for (const times of requests.values()) expect(times.length).toBeGreaterThanOrEqual(5);
  });

  test("questions that always fail do not end a run that has no patience with an outage", async () => {
    const { clock, ended, askMany } = setup(isUp, { patienceMs: 5_000 });
    askMany(200, fails);
    await clock.advance(600_000);

    expect(new Set([...ended.values()].map(({ how }) => how))).toEqual(new Set(["UNAVAILABLE"]));
    expect(ended.size).toBe(200);
  });

  test("questions that always fail delay other questions at most until the second probe", async () => {
    const { clock, ended, ask, askMany } = setup(isUp);
    askMany(11, fails);
    await clock.advance(100);
    ask("another", async () => "0");
    await clock.advance(HOUR_MS);

    expect(ended.get("another")).toEqual({ atMs: 2_538, how: "0" });
  });

  test("a question that is refused as with a bad key is detected, even if no other question is asked", async () => {
    const { clock, ended, requests, ask } = setup(isUp);
    ask("attack", () => Promise.reject(new UnauthorizedError("the service answered 403")));
    await clock.advance(60_000);

    expect(ended.get("attack")).toEqual({ atMs: 17_500, how: "UNAUTHORIZED" });
    expect(requests.get("attack")).toHaveLength(15);
  });
});

describe("a service that is down", () => {
  test("every other probe of a service that is down is a health probe, and no event loses an attempt", async () => {
    let isDown = true;
    const answer = async () => {
      if (isDown) throw unavailable;
      return "0";
    };
    const { clock, knocks, ended, askMany, sum } = setup(answer);
    askMany(12, answer);
    await clock.advance(HOUR_MS);
    expect(ended.size).toBe(0);
    expect(knocks.slice(0, 3)).toEqual([2_538, 9_558, 33_579]);
    expect({ requests: sum(), knocks: knocks.length }).toEqual({ requests: 130, knocks: 117 });

    isDown = false;
    await clock.advance(31_000);
    expect([...ended.values()].map(({ how }) => how)).toEqual(Array(12).fill("0"));
  });

  test("health probes do not prolong the patience of a run", async () => {
    const { clock, ended, askMany } = setup(fails, { patienceMs: 30_000 });
    askMany(12, fails);
    await clock.advance(60_000);

    const down = new ServiceDownError("no request to the service succeeded for 30 s; last: the service answered 500");
    expect(new Set([...ended.values()].map(({ how }) => how))).toEqual(new Set([String(down)]));
  });

  test("a health probe is repeated after a 429, which says nothing", async () => {
    const answers = [() => Promise.reject(new RateLimitedError("the service answered 429", 5_000)), isUp];
    const { gate, clock, knocks, askMany } = setup(() => answers.shift()?.() ?? fails());
    askMany(12, fails);
    await clock.advance(3_000);
    expect(gate.closed).toBe("failing");
    await clock.advance(5_000);

    expect(knocks).toEqual([2_538, 7_538]);
  });
});

test("while two operations are down, probes find a third one with a few light backfill questions", async () => {
  const weightOf = (tenant: string) => (tenant === "" ? 1_000 : 1);
  const { clock, ended, ask, askMany, gate } = setup(fails, { weightOf });
  askMany(100, fails);
  const pool = { waits: (lane: string) => (lane === "realtime" ? 500 : 0) };
  const askInCompany = (): Promise<unknown> =>
    gate.run(() => ({ events: ["company"], answer: clock.sleep(5).then(fails) }), pool).catch(askInCompany);
  void askInCompany();
  await clock.advance(200);
  ask("another", async () => "0", someTurn("backfill", "light"));
  await clock.advance(HOUR_MS);

  expect(ended.get("another")).toEqual({ atMs: 18_041, how: "0" });
});

test("a bug in a health probe reaches the waiting requests", async () => {
  const { clock, ended, askMany } = setup(() => Promise.reject(new Error("a bug")));
  askMany(12, fails);
  await clock.advance(3_000);

  expect([...ended.values()].map(({ how }) => how)).toEqual(Array(12).fill("Error: a bug"));
});

test("abandoning the gate ends the wait for a health probe", async () => {
  let reason: unknown;
  const never = (signal: AbortSignal) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        reject(signal.reason);
      });
    });
  const clock = new VirtualClock(0);
  const gate = openGate(clock, { knock: never });
  const endings: string[] = [];
  const deps = { gate, clock, random: () => 0.5, signal: new AbortController().signal };
  for (let i = 0; i < 11; i++)
    askWithRetries({ event: `event ${i}`, turn: someTurn() }, fails, deps).catch((thrown) =>
      endings.push(String(thrown)),
    );
  await clock.advance(2_500);
  gate.abandon(new Error("the end"));
  await clock.advance(60_000);

  expect(endings).toEqual(Array(11).fill("Error: the end"));
  expect(reason).toEqual(new Error("the end"));
});
