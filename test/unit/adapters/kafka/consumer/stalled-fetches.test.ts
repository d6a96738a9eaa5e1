import { expect, test } from "vitest";
import { FetchedPartitions } from "../../../../../src/adapters/kafka/consumer/fetched-partitions.ts";
import { STALLED_FETCHES, StalledFetches } from "../../../../../src/adapters/kafka/consumer/stalled-fetches.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const first = { topic: "events", partition: 0 };
const second = { topic: "events", partition: 1 };
const other = { topic: "bulk", partition: 0 };

function stalls() {
  const seen = new FetchedPartitions();
  const log = new FakeLog();
  const stalled = new StalledFetches(seen, log);
  const fetch = (at: typeof first, offset: number, times: number) => {
    for (let i = 0; i < times; i++) {
      seen.fetched(at, 40, offset);
      stalled.look([first, second, other]);
    }
  };
  return { log, stalled, fetch };
}

test("a partition with fetches without progress is logged once for each offset", () => {
  const { log, fetch } = stalls();
  fetch(first, 7, STALLED_FETCHES);
  expect(log.lines).toEqual([]);
  fetch(first, 7, 50);
  fetch(other, 3, STALLED_FETCHES + 1);
  fetch(first, 9, STALLED_FETCHES + 1);

  const message = "fetches return the same bytes again and again: Weir reads nothing after this offset";
  const count = STALLED_FETCHES;
  expect(log.lines).toEqual([
    { level: "warn", message, fields: { ...first, offset: 7, count } },
    { level: "warn", message, fields: { ...other, offset: 3, count } },
    { level: "warn", message, fields: { ...first, offset: 9, count } },
  ]);
});

test("the partition without progress for longest counts for its topic", () => {
  const { stalled, fetch } = stalls();
  fetch(first, 7, 5);
  fetch(second, 7, 3);

  expect([...stalled.byTopic([second, first, other])]).toEqual([
    ["events", 4],
    ["bulk", 0],
  ]);
});
