import { expect, test } from "vitest";
import { LeaderTracker, LeaderWatch } from "../../../../../src/adapters/kafka/topics/leader-tracker.ts";

test("a lost or regained leader is reported once, whichever client noticed it", () => {
  const seen = new LeaderTracker();
  const watches = [new LeaderWatch(["events", "bulk"], seen), new LeaderWatch(["events"], seen)];
  const changes = () => watches.map((watch) => watch.changes());
  const at = (partition: number) => ({ topic: "events", partition });
  const nothing = { gone: [], back: [] };
  expect(changes()).toEqual([nothing, nothing]);
  seen.told("events", [1, 3]);
  seen.told("other", [0]);
  expect(changes()).toEqual([
    { gone: [at(1), at(3)], back: [] },
    { gone: [at(1), at(3)], back: [] },
  ]);
  seen.told("events", [1, 3]);
  expect(changes()).toEqual([nothing, nothing]);
  seen.told("events", [3, 4]);
  expect(watches[0]?.changes()).toEqual({ gone: [at(4)], back: [at(1)] });
  seen.told("events", []);
  expect(changes()).toEqual([
    { gone: [], back: [at(3), at(4)] },
    { gone: [], back: [at(1), at(3)] },
  ]);
});
