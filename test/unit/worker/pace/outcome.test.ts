import { expect, test } from "vitest";
import { sent, UNASKED } from "../../../../src/worker/pace/outcome.ts";

test("a question that nobody has asked was asked at no time", () => {
  expect(UNASKED).toEqual({ requests: 0, cached: false });
});

test("every request counts, and the first says when it was asked", () => {
  const first = sent(UNASKED, 100);
  const second = sent(first, 250);

  expect(first).toEqual({ requests: 1, cached: false, askedAt: 100 });
  expect(second).toEqual({ requests: 2, cached: false, askedAt: 100 });
});

test("a request at the beginning of time counts like any other", () => {
  expect(sent(sent(UNASKED, 0), 5).askedAt).toBe(0);
});
