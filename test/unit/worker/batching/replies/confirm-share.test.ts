import { expect, test } from "vitest";
import { ConfirmShare } from "../../../../../src/worker/batching/replies/confirm-share.ts";

/** How many other requests it takes until a confirmation is earned. */
function othersUntilDue(share: ConfirmShare): number {
  for (let others = 0; ; others++) {
    if (share.isDue) return others;
    share.other();
  }
}

test("a confirmation that nobody waited for costs nothing, and leaves no credit either", () => {
  const third = new ConfirmShare(0.333);
  third.confirmed();
  expect(othersUntilDue(third)).toBe(3);

  third.confirmed();
  third.confirmed();
  expect(othersUntilDue(third)).toBe(3);
});

test("what one request earns beyond a confirmation is kept for the next", () => {
  const most = new ConfirmShare(0.9);
  most.other();

  let confirmations = 0;
  for (; most.isDue; confirmations++) most.confirmed();
  expect(confirmations).toBe(9);
});

test("of all requests as a share, confirmations go first", () => {
  expect(new ConfirmShare(1).isDue).toBe(true);
});
