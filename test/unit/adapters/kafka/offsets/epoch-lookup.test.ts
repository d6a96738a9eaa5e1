import { expect, test } from "vitest";
import { EpochLookup } from "../../../../../src/adapters/kafka/offsets/epoch-lookup.ts";
import { settled } from "../../../../fakes/virtual-clock.ts";

/** A lookup with requests that the test answers. */
function lookup() {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<ReadonlyMap<number, { epoch: number; end: number }>>[] = [];
  const found = new EpochLookup((topic, epochs) => {
    asked.push(`${topic} ${[...epochs].map(([partition, epoch]) => `${partition}:${epoch}`).join()}`);
    const answer = Promise.withResolvers<ReadonlyMap<number, { epoch: number; end: number }>>();
    answers.push(answer);
    return answer.promise;
  });
  return { found, asked, answers };
}

const ends = (...of: readonly (readonly [partition: number, epoch: number, end: number])[]) =>
  new Map(of.map(([partition, epoch, end]) => [partition, { epoch, end }]));
const epoch = (number: number, from = 0) => [{ epoch: number, from }];

test("the committed and the read epochs take one request where they end in the same epoch", async () => {
  const { found, asked, answers } = lookup();
  const known = found.agreeUntil("events", [
    { partition: 0, committed: epoch(4), read: epoch(4) },
    { partition: 1, committed: epoch(4), read: epoch(6) },
    { partition: 2, committed: [], read: epoch(5) },
    { partition: 3, committed: [], read: [] },
  ]);
  answers[0]?.resolve(ends([0, 4, 40], [1, 4, 41], [2, 5, 42]));
  await settled();
  answers[1]?.resolve(ends([1, 5, 50]));
  expect(await known).toEqual(
    new Map([
      [0, { committed: 40, read: 40 }],
      [1, { committed: 41, read: 0 }],
      [2, { committed: undefined, read: 42 }],
      [3, { committed: undefined, read: undefined }],
    ]),
  );
  expect(asked).toEqual(["events 0:4,1:4,2:5", "events 1:6"]);
});

test("an unread epoch leads to a request about the epochs before it", async () => {
  const { found, asked, answers } = lookup();
  const until = found.agreesUntil({ topic: "events", partition: 0 }, [...epoch(1), ...epoch(3, 8)]);
  await settled();
  answers[0]?.resolve(ends([0, 2, 7]));
  await settled();
  answers[1]?.resolve(ends([0, 1, 5]));
  expect(await until).toBe(5);
  expect(asked).toEqual(["events 0:3", "events 0:1"]);
});

test("without known epochs no request is sent", async () => {
  const { found, asked } = lookup();
  expect(await found.agreesUntil({ topic: "events", partition: 0 }, [])).toBeUndefined();
  expect(await found.agreeUntil("events", [{ partition: 0, committed: [], read: [] }])).toEqual(
    new Map([[0, { committed: undefined, read: undefined }]]),
  );
  expect(asked).toEqual([]);
});

test("requests during a running request are sent with the next one, whatever its result", async () => {
  const { found, asked, answers } = lookup();
  const one = found.agreesUntil({ topic: "events", partition: 0 }, epoch(4));
  await settled();
  const [two, three] = [1, 2].map((partition) => found.agreesUntil({ topic: "events", partition }, epoch(4)));
  const other = found.agreesUntil({ topic: "bulk", partition: 0 }, epoch(7));
  await settled();
  expect(asked).toEqual(["events 0:4", "bulk 0:7"]);
  answers[0]?.reject(new Error("no leader"));
  await expect(one).rejects.toThrow("no leader");
  await settled();
  expect(asked.at(-1)).toBe("events 1:4,2:4");
  answers[1]?.resolve(ends([0, 7, 1]));
  answers[2]?.resolve(ends([1, 4, 10], [2, 4, 20]));
  expect(await Promise.all([two, three, other])).toEqual([10, 20, 1]);
});
