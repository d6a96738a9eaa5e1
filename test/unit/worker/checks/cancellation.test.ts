import { expect, test } from "vitest";
import { Cancellation } from "../../../../src/worker/checks/cancellation.ts";

test("each question is notified once, and a question that is added after the end is notified at once", () => {
  const leaving = new Cancellation();
  const told: string[] = [];
  leaving.onLeave(() => told.push("before"));

  expect([told, leaving.hasLeft]).toEqual([[], false]);
  leaving.leave();
  leaving.leave();
  leaving.onLeave(() => told.push("after"));

  expect([told, leaving.hasLeft]).toEqual([["before", "after"], true]);
});
