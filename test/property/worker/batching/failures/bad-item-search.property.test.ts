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

/** All requests until nothing is left to be sent, when those with a bad item are refused. */
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
    // One that is refused alone has its answer: the pool asks nothing about it again.
    else searches.push(...(sent.length > 1 ? afterRefusal(search) : afterNothing(search)));
  }
}

const batches = fc
  .integer({ min: 1, max: 1_000 })
  .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.nat(count - 1), { size: "max", maxLength: 100 })));

test("everybody is answered or refused alone, once, and no request is sent twice", () => {
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

/** Requests that it takes at worst, however the suspects are divided. Those who are cleared and have no answer yet may go along or not. */
const least = remembered((suspects: number, areCleared: boolean): number => {
  if (suspects === 1) return areCleared ? 2 : 1;
  const ways = Array.from({ length: suspects - 1 }, (_, i) => {
    const [sent, held] = [i + 1, suspects - i - 1];
    const together = Math.max(least(held, false), least(sent, true));
    // Who is refused alone is found, and all others go in one request.
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
])("one bad item of %i takes %i requests more at worst, as few as can be", (count, worst) => {
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
])("one for which the service fails, of %i who failed together, takes %i requests at worst", (count, worst) => {
  const more = Array.from({ length: count }, (_, bad) => requestsFor(count, new Set([bad]), searchHalves).length - 1);
  expect(Math.max(...more)).toBe(worst);
});

test("those who failed together by chance are answered in two requests", () => {
  const [first, second, ...others] = searchHalves([1, 2, 3, 4, 5]);
  if (first === undefined || second === undefined) throw new Error("there are two halves");
  expect([first.suspects, second.suspects, others]).toEqual([[1, 2], [3, 4, 5], []]);
  expect([...afterAnswer(first), ...afterAnswer(second)]).toEqual([]);
});

test("one bad item of up to 3 * 2^n is found by n + 3 requests more at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 1_000 }), fc.nat(), (count, at) => {
      const more = requestsFor(count, new Set([at % count])).length - 1;
      expect(more).toBeLessThanOrEqual(Math.ceil(Math.log2(count / 3)) + 3);
    }),
  );
});
