import { expect, test } from "vitest";
import { ConfirmShare } from "../../../../../src/worker/batching/replies/confirm-share.ts";

/** Number of other requests until a confirmation is earned. */
function othersUntilDue(share: ConfirmShare): number {
  for (let others = 0; ; others++) {
    if (share.isDue) return others;
    share.other();
  }
}

test("a confirmation without waiting entries costs nothing, and leaves no credit", () => {
  const third = new ConfirmShare(0.333);
  third.confirmed();
  expect(othersUntilDue(third)).toBe(3);

  third.confirmed();
  third.confirmed();
  expect(othersUntilDue(third)).toBe(3);
});

test("credit beyond one confirmation is kept for the next", () => {
  const most = new ConfirmShare(0.9);
  most.other();

  let confirmations = 0;
  for (; most.isDue; confirmations++) most.confirmed();
  expect(confirmations).toBe(9);
});

test("with a share of 1 confirmations go first", () => {
  expect(new ConfirmShare(1).isDue).toBe(true);
});
