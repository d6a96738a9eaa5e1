import { expect, test } from "vitest";
import { PartitionsSeen } from "../../../../src/adapters/kafka/partitions-seen.ts";

const at = { topic: "events", partition: 3 };

test("where a log ended is what its last fetch said", () => {
  const seen = new PartitionsSeen();
  expect(seen.endOf(at)).toBeUndefined();
  seen.fetched(at, 40);
  seen.fetched(at, 41);

  expect(seen.endOf(at)).toBe(41);
  expect(seen.endOf({ ...at, partition: 2 })).toBeUndefined();
});
