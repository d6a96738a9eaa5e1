import { describe, expect, test } from "vitest";
import { type Watched, WorkerWatch } from "../../../src/cli/worker-watch.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";

const START = Date.UTC(2026, 0, 1);

function watch(own: Partial<Watched> = {}) {
  const clock = new FakeClock(START);
  const alive = () => ({
    activeAt: START,
    lag: () =>
      new Map([
        ["live", 3],
        ["bulk", 4],
        ["more-bulk", 5],
      ]),
  });
  const of: Watched = {
    clock,
    gate: { closed: undefined },
    pool: { isOff: false },
    intake: { load: () => ({ events: 0, bytes: 0 }) },
    events: alive(),
    retries: alive(),
    laneOf: (topic) => (topic === "live" ? "realtime" : "backfill"),
    quota: undefined,
    ...own,
  };
  return { clock, watched: new WorkerWatch(of) };
}

describe("a worker is alive", () => {
  test("for two minutes after the last sign of its consumers, of both", async () => {
    const { clock, watched } = watch();
    await clock.sleep(120_000);
    expect(watched.health.live()).toEqual([]);
    await clock.sleep(1);
    expect(watched.health.live()).toEqual([
      "the consumer of the input topics gave no sign of life for 120 s",
      "the consumer of the retry topics gave no sign of life for 120 s",
    ]);
  });

  test("and not when only one of them is", async () => {
    const { clock, watched } = watch({ events: { activeAt: START + 200_000, lag: () => new Map() } });
    await clock.sleep(200_000);
    expect(watched.health.live()).toEqual(["the consumer of the retry topics gave no sign of life for 200 s"]);
  });
});

describe("a worker is ready", () => {
  test("once it is in both groups", () => {
    expect(watch().watched.health.ready()).toEqual([
      "the group of the input topics has not been joined",
      "the group of the retry topics has not been joined",
    ]);
  });

  test.each([
    ["unauthorized", "the service refuses the API key"],
    ["failing", "the service gives no answer"],
  ] as const)("and not while the service is %s", (closed, reason) => {
    expect(watch({ gate: { closed } }).watched.health.ready()).toContain(reason);
  });
});

test("the lag of a lane is that of its topics", () => {
  const { gauges } = watch().watched;
  expect([gauges.lag("realtime"), gauges.lag("backfill")]).toEqual([3, 9]);
});
