import { expect, test } from "vitest";
import { repairFetch } from "../../../../src/adapters/kafka/fetch-repair.ts";

test("another version of kafkajs is refused: it may need no repair, or another", () => {
  expect(() => repairFetch("2.3.0")).toThrow("kafkajs is 2.3.0, and its fetches are repaired for 2.2.4 only");
});
