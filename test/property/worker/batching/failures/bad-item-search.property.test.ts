import fc from "fast-check";
import { expect, test } from "vitest";
import {
  afterAnswer,
  afterNothing,
  afterRefusal,
  type BadItemSearch,
  searchAmong,
  searchHalves,
} from "../../../../../src/worker/batching/failures/bad-item-search.ts";

/** All requests of a search, if every request with a bad item is refused. */
function requestsFor(
  count: number,
  bad: ReadonlySet<number>,
  begin: (all: readonly number[]) => readonly BadItemSearch<number>[] = (all) => [searchAmong(all)],
): readonly (readonly number[])[] {
  const isRefused = (sent: readonly number[]) => sent.some((item) => bad.has(item));
  const all = Array.from({ length: count }, (_, i) => i);
  const requests: (readonly number[])[] = [all];
  const searches = count > 1 && isRefused(all) ? [...begin(all)] : [];
  for (;;) {
    const search = searches.shift();
    if (search === undefined) return requests;
    const sent = [...search.cleared, ...search.suspects];
    requests.push(sent);
    if (!isRefused(sent)) searches.push(...afterAnswer(search));
    // An item that is refused alone has its answer, and the batcher does not send it again.
    else searches.push(...(sent.length > 1 ? afterRefusal(search) : afterNothing(search)));
  }
}

const batches = fc
  .integer({ min: 1, max: 1_000 })
  .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.nat(count - 1), { size: "max", maxLength: 100 })));

test("every item is answered or refused alone exactly once, and no request is sent twice", () => {
  fc.assert(
    fc.property(batches, ([count, bad]) => {
      const requests = requestsFor(count, new Set(bad));
      const answered = requests.filter((sent) => !sent.some((item) => bad.includes(item))).flat();
      const alone = requests.filter(([first = -1, ...others]) => others.length === 0 && bad.includes(first)).flat();

      expect([...answered, ...alone].toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      const texts = requests.map((sent) => sent.toSorted((a, b) => a - b).join());
      expect(new Set(texts).size).toBe(texts.length);
    }),
  );
});

/**
 * Smallest worst case of requests over all ways to split the suspects. Cleared items without an answer may join or not.
 */
const least = remembered((suspects: number, areCleared: boolean): number => {
  if (suspects === 1) return areCleared ? 2 : 1;
  const ways = Array.from({ length: suspects - 1 }, (_, i) => {
    const [sent, held] = [i + 1, suspects - i - 1];
    const together = Math.max(least(held, false), least(sent, true));
    // An item that is refused alone is found, and all other items go in one request.
    const apart = Math.max(least(held, areCleared), sent === 1 ? 1 : least(sent, true));
    return 1 + Math.min(together, apart);
  });
  return Math.min(...ways);
});

function remembered(compute: (suspects: number, areCleared: boolean) => number) {
  const known = new Map<number, number>();
  return (suspects: number, areCleared: boolean): number => {
    const key = areCleared ? -suspects : suspects;
    const found = known.get(key) ?? compute(suspects, areCleared);
    known.set(key, found);
    return found;
  };
}

test.each([
  [2, 2],
  [3, 3],
  [4, 4],
  [12, 5],
  [13, 6],
  [384, 10],
  [385, 11],
  [498, 11],
  [768, 11],
  [769, 12],
  [995, 12],
])("one bad item among %i takes %i more requests in the worst case, which is the minimum", (count, worst) => {
  const more = Array.from({ length: count }, (_, bad) => requestsFor(count, new Set([bad])).length - 1);
  expect([Math.max(...more), least(count, false)]).toEqual([worst, worst]);
});

test.each([
  [2, 2],
  [3, 4],
  [400, 12],
  [498, 12],
  [768, 12],
  [769, 13],
  [995, 13],
])("one failing item, among %i items that failed together, takes at most %i requests to find", (count, worst) => {
  const more = Array.from({ length: count }, (_, bad) => requestsFor(count, new Set([bad]), searchHalves).length - 1);
  expect(Math.max(...more)).toBe(worst);
});

test("items that failed together by chance are answered in two requests", () => {
  const [first, second, ...others] = searchHalves([1, 2, 3, 4, 5]);
  if (first === undefined || second === undefined) throw new Error("there are two halves");
  expect([first.suspects, second.suspects, others]).toEqual([[1, 2], [3, 4, 5], []]);
  expect([...afterAnswer(first), ...afterAnswer(second)]).toEqual([]);
});

test("one bad item among up to 3 * 2^n items is found with at most n + 3 more requests", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 1_000 }), fc.nat(), (count, at) => {
      const more = requestsFor(count, new Set([at % count])).length - 1;
      expect(more).toBeLessThanOrEqual(Math.ceil(Math.log2(count / 3)) + 3);
    }),
  );
});
