import { expect, test } from "vitest";
import { Cancellation } from "../../../../src/worker/checks/cancellation.ts";

test("each question learns of the end once, and one that is put after the end at once", () => {
  const leaving = new Cancellation();
  const told: string[] = [];
  leaving.onLeave(() => told.push("before"));

  expect([told, leaving.hasLeft]).toEqual([[], false]);
  leaving.leave();
  leaving.leave();
  leaving.onLeave(() => told.push("after"));

  expect([told, leaving.hasLeft]).toEqual([["before", "after"], true]);
});
