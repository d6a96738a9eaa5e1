import { describe, expect, test } from "vitest";
import { BREAKER_FAILURES, Breaker, type Passage } from "../../../../../src/worker/rate-limit/breaker/breaker.ts";

const breakerOf = () => new Breaker(() => 0.5);

/** A request that must pass. */
function passed(breaker: Breaker, now = 0): Passage {
  const passage = breaker.pass(now);
  if (passage === undefined) throw new Error("the breaker is open");
  return passage;
}

/** Fails requests, one each, about these events. */
function fail(breaker: Breaker, events: readonly string[], now = 0): void {
  for (const event of events) breaker.failed(passed(breaker, now), [event], now);
}

const events = (count: number) => Array.from({ length: count }, (_, i) => `event ${i}`);

/** One that opened at 0: its first probe may leave at 1,000. */
function opened(): Breaker {
  const breaker = breakerOf();
  fail(breaker, events(BREAKER_FAILURES));
  return breaker;
}

test("a new one lets everything pass", () => {
  const breaker = breakerOf();

  expect(breaker.open).toBeUndefined();
  expect([breaker.pass(0), breaker.pass(0)].map((passage) => passage !== undefined)).toEqual([true, true]);
});

describe("failures in a row", () => {
  test("open it at the tenth, about the tenth event", () => {
    const breaker = breakerOf();

    fail(breaker, events(9), 5);
    expect(breaker.open).toBeUndefined();
    breaker.failed(passed(breaker, 7), ["the tenth"], 7);

    expect(breaker.open).toMatchObject({ cause: "failing", since: 7 });
  });

  test("about fewer events never open it", () => {
    const breaker = breakerOf();

    for (let i = 0; i < 1_000; i++) fail(breaker, [`event ${i % 9}`]);
    expect(breaker.open).toBeUndefined();
    fail(breaker, ["a tenth"]);

    expect(breaker.open).toMatchObject({ cause: "failing" });
  });

  test("of requests about many events count once each", () => {
    const breaker = breakerOf();

    for (let i = 0; i < 9; i++) breaker.failed(passed(breaker), events(1_000), 0);
    expect(breaker.open).toBeUndefined();
    breaker.failed(passed(breaker), [], 0);

    expect(breaker.open).toMatchObject({ cause: "failing" });
  });

  test("begin anew after an answer, and so do the events", () => {
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

  test("begin anew after an answer, also where one failure is about many events", () => {
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

test("one refused key opens it", () => {
  const breaker = breakerOf();

  breaker.unauthorized(passed(breaker, 3), 3);

  expect(breaker.open).toMatchObject({ cause: "unauthorized", since: 3 });
  expect(breaker.waitMs(3)).toBe(1_000);
});

describe("while it is open", () => {
  test("nothing passes before the probe is due, and then one only", () => {
    const breaker = opened();

    expect(breaker.waitMs(0)).toBe(1_000);
    expect(breaker.pass(999)).toBeUndefined();
    expect(breaker.waitMs(1_000)).toBe(0);
    expect(breaker.pass(1_000)).toBeDefined();
    expect(breaker.pass(1_000)).toBeUndefined();
    expect(breaker.waitMs(1_000_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("probes that fail come further and further apart, to a bound", () => {
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

  test("a probe whose key is refused says why it stays open, and not since when", () => {
    const breaker = opened();

    breaker.unauthorized(passed(breaker, 1_000), 1_000);

    expect(breaker.open).toMatchObject({ cause: "unauthorized", since: 0 });
    expect(breaker.waitMs(1_000)).toBe(1_500);
  });

  test("a probe that is answered closes it, and failures count from nothing", () => {
    const breaker = opened();

    passed(breaker, 1_000);
    breaker.answered();
    expect(breaker.open).toBeUndefined();
    fail(breaker, events(9), 1_000);

    expect(breaker.open).toBeUndefined();
  });

  test("a probe that decides nothing leaves its place to the next at once", () => {
    const breaker = opened();

    breaker.undecided(passed(breaker, 1_000));

    expect(breaker.waitMs(1_000)).toBe(0);
    expect(breaker.pass(1_000)).toBeDefined();
  });
});

describe("what was on its way when it opened", () => {
  const late = ["failed", "unauthorized", "undecided"] as const;
  const end = (breaker: Breaker, how: (typeof late)[number], passage: Passage, now: number) => {
    if (how === "failed") breaker.failed(passage, ["late"], now);
    else if (how === "unauthorized") breaker.unauthorized(passage, now);
    else breaker.undecided(passage);
  };

  test.each(late)("puts no probe off when it ends %s", (how) => {
    const breaker = breakerOf();
    const before = passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));

    end(breaker, how, before, 900);

    expect(breaker.open).toMatchObject({ cause: "failing", since: 0 });
    expect(breaker.waitMs(900)).toBe(100);
  });

  test.each(late)("is not taken for the probe that is out when it ends %s", (how) => {
    const breaker = breakerOf();
    const before = passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));
    passed(breaker, 1_000);

    end(breaker, how, before, 1_001);

    expect(breaker.pass(60_000)).toBeUndefined();
    expect(breaker.waitMs(60_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test("closes it when it is answered", () => {
    const breaker = breakerOf();
    passed(breaker);
    fail(breaker, events(BREAKER_FAILURES));

    breaker.answered();

    expect(breaker.open).toBeUndefined();
  });
});

test("a knock that was not sent leaves the next probe to an event, and one of an earlier outage changes nothing", () => {
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
