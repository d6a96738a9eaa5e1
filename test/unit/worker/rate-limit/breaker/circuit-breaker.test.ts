import { describe, expect, test } from "vitest";
import {
  BREAKER_FAILURES,
  type BreakerAdmission,
  CircuitBreaker,
} from "../../../../../src/worker/rate-limit/breaker/circuit-breaker.ts";

const breakerOf = () => new CircuitBreaker(() => 0.5);

/** A request that must pass. */
function passed(breaker: CircuitBreaker, now = 0): BreakerAdmission {
  const passage = breaker.pass(now);
  if (passage === undefined) throw new Error("the breaker is open");
  return passage;
}

/** Fails one request for each of these events. */
function fail(breaker: CircuitBreaker, events: readonly string[], now = 0): void {
  for (const event of events) breaker.failed(passed(breaker, now), [event], now);
}

const events = (count: number) => Array.from({ length: count }, (_, i) => `event ${i}`);

/** A circuit breaker that opened at 0. Its first probe may leave at 1,000. */
function opened(): CircuitBreaker {
  const breaker = breakerOf();
  fail(breaker, events(BREAKER_FAILURES));
  return breaker;
}

test("a new circuit breaker lets every request pass", () => {
  const breaker = breakerOf();

  expect(breaker.open).toBeUndefined();
  expect([breaker.pass(0), breaker.pass(0)].map((passage) => passage !== undefined)).toEqual([true, true]);
});

describe("failures in a row", () => {
  test("the tenth failure, about the tenth event, opens the circuit breaker", () => {
    const breaker = breakerOf();

    fail(breaker, events(9), 5);
    expect(breaker.open).toBeUndefined();
    breaker.failed(passed(breaker, 7), ["the tenth"], 7);

    expect(breaker.open).toMatchObject({ cause: "failing", since: 7 });
  });

  test("failures about fewer than ten events never open the circuit breaker", () => {
    const breaker = breakerOf();

    for (let i = 0; i < 1_000; i++) fail(breaker, [`event ${i % 9}`]);
    expect(breaker.open).toBeUndefined();
    fail(breaker, ["a tenth"]);

    expect(breaker.open).toMatchObject({ cause: "failing" });
  });

  test("the failure of a request about many events counts once", () => {
    const breaker = breakerOf();

    for (let i = 0; i < 9; i++) breaker.failed(passed(breaker), events(1_000), 0);
    expect(breaker.open).toBeUndefined();
    breaker.failed(passed(breaker), [], 0);

    expect(breaker.open).toMatchObject({ cause: "failing" });
  });

  test("an answer resets the count of failures and the set of events", () => {
    const breaker = breakerOf();

    fail(breaker, events(9));
    breaker.answered();
    fail(breaker, events(9));
    expect(breaker.open).toBeUndefined();
    fail(breaker, ["event 0"]);
    expect(breaker.open).toBeUndefined();
    fail(breaker, ["event 9"]);

    expect(breaker.open).toMatchObject({ cause: "failing" });
  });

  test("an answer resets the count of failures even if one later failure is about many events", () => {
    const breaker = breakerOf();

    fail(breaker, events(9));
    breaker.answered();
    breaker.failed(passed(breaker), events(10), 0);
    expect(breaker.open).toBeUndefined();

    for (let i = 0; i < 8; i++) fail(breaker, ["event 0"]);
    expect(breaker.open).toBeUndefined();
    fail(breaker, ["event 0"]);
    expect(breaker.open).toBeDefined();

    const other = breakerOf();
    fail(other, events(9));
    other.answered();
    for (let i = 0; i < 20; i++) fail(other, ["a tenth"]);

    expect(other.open).toBeUndefined();
  });
});

test("one refused key opens the circuit breaker", () => {
  const breaker = breakerOf();

  breaker.unauthorized(passed(breaker, 3), 3);

  expect(breaker.open).toMatchObject({ cause: "unauthorized", since: 3 });
  expect(breaker.waitMs(3)).toBe(1_000);
});

describe("while the circuit breaker is open", () => {
  test("no request passes before the probe is due, and then only one passes", () => {
    const breaker = opened();

    expect(breaker.waitMs(0)).toBe(1_000);
    expect(breaker.pass(999)).toBeUndefined();
    expect(breaker.waitMs(1_000)).toBe(0);
    expect(breaker.pass(1_000)).toBeDefined();
    expect(breaker.pass(1_000)).toBeUndefined();
    expect(breaker.waitMs(1_000_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("the waits between failed probes grow up to a limit", () => {
    const breaker = opened();
    const waits: number[] = [];
    let now = 0;

    for (let i = 0; i < 8; i++) {
      waits.push(breaker.waitMs(now));
      now += breaker.waitMs(now);
      breaker.failed(passed(breaker, now), [], now);
    }

    expect(waits).toEqual([1_000, 1_500, 2_500, 4_500, 8_500, 15_500, 15_500, 15_500]);
    expect(breaker.open).toMatchObject({ cause: "failing", since: 0 });
  });

  test("a probe with a refused key changes the cause of the open circuit breaker, but not its start", () => {
    const breaker = opened();

    breaker.unauthorized(passed(breaker, 1_000), 1_000);

    expect(breaker.open).toMatchObject({ cause: "unauthorized", since: 0 });
    expect(breaker.waitMs(1_000)).toBe(1_500);
  });

  test("an answered probe closes the circuit breaker, and failures count from zero", () => {
    const breaker = opened();

    passed(breaker, 1_000);
    breaker.answered();
    expect(breaker.open).toBeUndefined();
    fail(breaker, events(9), 1_000);

    expect(breaker.open).toBeUndefined();
  });

  test("the next probe may be sent at once after a probe without a result", () => {
    const breaker = opened();

    breaker.undecided(passed(breaker, 1_000));

    expect(breaker.waitMs(1_000)).toBe(0);
    expect(breaker.pass(1_000)).toBeDefined();
  });
});

describe("a request that was in flight when the circuit breaker opened", () => {
  const late = ["failed", "unauthorized", "undecided"] as const;
  const end = (breaker: CircuitBreaker, how: (typeof late)[number], passage: BreakerAdmission, now: number) => {
    if (how === "failed") breaker.failed(passage, ["late"], now);
    else if (how === "unauthorized") breaker.unauthorized(passage, now);
    else breaker.undecided(passage);
  };

  test.each(late)("an earlier request that ends %s does not delay the probe", (how) => {
    const breaker = breakerOf();
    const before = passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));

    end(breaker, how, before, 900);

    expect(breaker.open).toMatchObject({ cause: "failing", since: 0 });
    expect(breaker.waitMs(900)).toBe(100);
  });

  test.each(late)("an earlier request that ends %s is not mistaken for the probe in flight", (how) => {
    const breaker = breakerOf();
    const before = passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));
    passed(breaker, 1_000);

    end(breaker, how, before, 1_001);

    expect(breaker.pass(60_000)).toBeUndefined();
    expect(breaker.waitMs(60_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("an earlier request that is answered closes the circuit breaker", () => {
    const breaker = breakerOf();
    passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));

    breaker.answered();

    expect(breaker.open).toBeUndefined();
  });
});

test("after an unsent health probe the next probe asks an event's question, unless the unsent one is of an earlier outage", () => {
  const breaker = opened();
  const first = passed(breaker, 1_000);
  breaker.failed(first, ["e"], 1_000);
  const knock = passed(breaker, 10_000);
  expect(knock.isKnock).toBe(true);
  breaker.unsent(knock);
  breaker.unsent(knock);
  const probe = passed(breaker, 10_000);
  expect(probe.isKnock).toBe(false);
  breaker.unsent(probe);
  expect(passed(breaker, 10_000).isKnock).toBe(false);
  expect(breaker.open).toMatchObject({ cause: "failing" });
});
