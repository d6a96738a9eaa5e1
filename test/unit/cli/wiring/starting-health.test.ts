import { expect, test } from "vitest";
import { StartingHealth } from "../../../../src/cli/wiring/starting-health.ts";

test("a starting process is alive and not ready, with the last reason, and later has the health of its run", async () => {
  const starting = new StartingHealth(["a:9092", "b:9092"]);
  const said = () => [starting.live(), starting.ready()];
  expect(said()).toEqual([[], ["the brokers have not answered yet: a:9092,b:9092"]]);
  const failing = async () => {
    throw new Error("cannot ask b:9092");
  };
  await expect(starting.whileReaching(failing)).rejects.toThrow("cannot ask b:9092");
  expect(said()).toEqual([[], ["cannot ask b:9092"]]);
  expect(await starting.whileReaching(async () => 7)).toBe(7);

  starting.begun({ live: () => ["stuck"], ready: () => [] });
  expect(said()).toEqual([["stuck"], []]);
});
