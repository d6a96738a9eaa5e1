import { expect, test } from "vitest";
import { ceilingOf, givenRate } from "../../../../../src/cli/wiring/quota/given-rate.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

test("a key that tolerates no request is logged, and its recovery, in requests a second", () => {
  const log = new FakeLog();
  const given = givenRate({ requests: 51, windowMs: 1_000 }, log);
  let now = 0;
  const refuse = () => {
    now += 30 + Math.min(1_000, given.waitMs(now));
    given.refused(given.sent(now), now + 20, 0);
  };
  while (now < 20_000) refuse();
  now += given.waitMs(now);
  given.taken(given.sent(now), now + 20);

  expect(log.lines).toEqual([
    {
      level: "warn",
      message: "the API key allows less than SERVICE_QUOTA: the quota was lowered, or another client uses the key",
      fields: { requestsPerSecond: 0, given: 50 },
    },
    {
      level: "info",
      message: "the API key allows the full SERVICE_QUOTA again",
      fields: { requestsPerSecond: 50, given: 50 },
    },
  ]);
});

test("the ceiling limits the requests to the set pace", () => {
  const given = givenRate({ requests: 51, windowMs: 1_000 }, new FakeLog());
  const paces: number[] = [];
  const ceiling = ceilingOf(given, { pace: (minTimeMs) => paces.push(minTimeMs) });
  ceiling.pace(100);
  for (let i = 0; i < 4; i++) given.refused(given.sent(0), 20, 0);
  given.taken(given.sent(1_000), 1_020);
  ceiling.pace(90);

  expect(paces[0]).toBe(100);
  expect(paces[1]).toBeCloseTo(100 / 0.985, 9);
});
