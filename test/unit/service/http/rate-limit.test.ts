import { expect, test } from "vitest";
import { RateLimit } from "../../../../src/service/http/rate-limit.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

test("requests within the quota pass, and later ones get the time to wait", async () => {
  const clock = new FakeClock();
  const limit = new RateLimit({ requests: 2, windowMs: 1_000 }, clock);

  const waits = [limit.take("a"), limit.take("a"), limit.take("a")];
  await clock.sleep(400);

  expect([...waits, limit.take("a")]).toEqual([0, 0, 1_000, 600]);
});

test("the window starts with its first request and ends on the millisecond", async () => {
  const clock = new FakeClock();
  const limit = new RateLimit({ requests: 1, windowMs: 1_000 }, clock);
  limit.take("a");

  await clock.sleep(999);
  const before = limit.take("a");
  await clock.sleep(1);

  expect([before, limit.take("a"), limit.take("a")]).toEqual([1, 0, 1_000]);
});

test("refused requests do not count against the next window", async () => {
  const clock = new FakeClock();
  const limit = new RateLimit({ requests: 2, windowMs: 1_000 }, clock);
  for (let i = 0; i < 10; i++) limit.take("a");

  await clock.sleep(1_000);

  expect([limit.take("a"), limit.take("a"), limit.take("a")]).toEqual([0, 0, 1_000]);
});

test("each key has its own window", () => {
  const limit = new RateLimit({ requests: 1, windowMs: 1_000 }, new FakeClock());

  expect([limit.take("a"), limit.take("b"), limit.take("a"), limit.take("b")]).toEqual([0, 0, 1_000, 1_000]);
});
