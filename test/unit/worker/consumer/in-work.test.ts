import { expect, test } from "vitest";
import { type DeliveredBatch, InWork } from "../../../../src/worker/consumer/in-work.ts";

type Lane = "realtime" | "backfill";

const place = { isOurs: () => true, isCrowded: () => false };
const delivery = (lane: Lane): DeliveredBatch<Lane> => ({
  topic: "live",
  partition: 0,
  lane,
  epoch: 1,
  place,
  writtenAt: [],
  left: 0,
});

test("the oldest record of a lane is found among the records in flight, over all deliveries", () => {
  const inWork = new InWork<Lane>();
  const [first, second, other] = [delivery("realtime"), delivery("realtime"), delivery("backfill")];
  expect([inWork.size, inWork.oldestAt("realtime")]).toEqual([0, undefined]);

  const [a, b] = [inWork.begin(first, 30), inWork.begin(first, 10)];
  const c = inWork.begin(second, 20);
  inWork.begin(other, 5);
  expect([inWork.size, inWork.oldestAt("realtime"), inWork.oldestAt("backfill")]).toEqual([4, 10, 5]);
  inWork.end(first, b);
  expect([inWork.size, inWork.oldestAt("realtime")]).toEqual([3, 20]);
  inWork.end(second, c);
  expect([inWork.size, inWork.oldestAt("realtime")]).toEqual([2, 30]);
  inWork.end(first, a);
  expect([inWork.size, inWork.oldestAt("realtime"), inWork.oldestAt("backfill")]).toEqual([1, undefined, 5]);
});

test("a delivery is still considered if its first record ended before its second began", () => {
  const inWork = new InWork<Lane>();
  const only = delivery("realtime");
  inWork.end(only, inWork.begin(only, 10));
  expect([inWork.size, inWork.oldestAt("realtime")]).toEqual([0, undefined]);
  inWork.end(only, inWork.begin(only, 20));
  inWork.begin(only, 30);
  expect([inWork.size, inWork.oldestAt("realtime")]).toEqual([1, 30]);
});
