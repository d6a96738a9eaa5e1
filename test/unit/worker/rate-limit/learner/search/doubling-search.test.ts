import { expect, test } from "vitest";
import { DoublingSearch } from "../../../../../../src/worker/rate-limit/learner/search/doubling-search.ts";

function unpaced(): DoublingSearch {
  const search = new DoublingSearch();
  for (let i = 0; i < 6; i++) search.passed();
  return search;
}

test("the search doubles the rate, and sets no pace beyond what a pacer can keep", () => {
  const search = new DoublingSearch();
  const rates = [1, 2, 3, 4, 5, 6].map(() => {
    search.passed();
    return search.rate;
  });
  expect(rates).toEqual([20, 40, 80, 160, 320, Number.POSITIVE_INFINITY]);
});

test("the search counts from its first request to the opening", () => {
  const search = new DoublingSearch();
  search.sent(500, 0);
  search.sent(600, 1);
  expect(search.found({ at: 2_500, taken: 30 })).toEqual({ lengthMs: 2_000, perSecond: 15 });
});

test("the search restarts its count when its rate was not used", () => {
  const search = new DoublingSearch();
  search.sent(500, 0);
  search.unused();
  search.sent(90_000, 100);
  expect(search.found({ at: 91_000, taken: 120 })).toEqual({ lengthMs: 1_000, perSecond: 20 });
});

test("without a pace the search counts the last half minute or minute", () => {
  const search = unpaced();
  for (let second = 0; second <= 3_600; second++) search.sent(1_000 * second, 5 * second);
  expect(search.found({ at: 3_601_000, taken: 18_005 })).toEqual({ lengthMs: 31_000, perSecond: 5 });
});

test("without a pace, too, requests from before an unused step do not count", () => {
  const search = unpaced();
  search.sent(0, 0);
  search.unused();
  search.sent(40_000, 100);

  expect(search.found({ at: 41_000, taken: 120 })).toEqual({ lengthMs: 1_000, perSecond: 20 });
});

test("a quota that was used up before any request counts as one step", () => {
  expect(new DoublingSearch().found({ at: 1_000, taken: 5 })).toEqual({ lengthMs: 250, perSecond: 20 });
});
