import { expect, test } from "vitest";
import { createRotation } from "../../../../../src/adapters/http/client/endpoint-rotation.ts";

const doubling = { firstMs: 1_000, longestMs: 8_000 };
const constant = { firstMs: 10_000, longestMs: 10_000 };

test("nodes that work are asked as configured", () => {
  const rota = createRotation(["a", "b", "c"], doubling);

  expect(rota.order(0)).toEqual(["a", "b", "c"]);
  rota.worked("c");
  expect(rota.order(5)).toEqual(["a", "b", "c"]);
});

test("one that failed rests as long as said, and is asked last meanwhile", () => {
  const rota = createRotation(["a", "b"], constant);
  rota.failed("a", 500);

  expect([500, 10_499, 10_500].map((now) => rota.order(now))).toEqual([
    ["b", "a"],
    ["b", "a"],
    ["a", "b"],
  ]);
});

test("of those that rest, the one whose rest ends first is asked first", () => {
  const rota = createRotation(["a", "b", "c"], constant);
  rota.failed("a", 20);
  rota.failed("b", 10);

  expect(rota.order(30)).toEqual(["c", "b", "a"]);
});

/** How long `a` rests after its failures at 0, to the millisecond. */
function restAfter(failures: number, rests: typeof doubling, askedMs?: number): number {
  const rota = createRotation(["a", "b"], rests);
  for (let i = 0; i < failures; i++) rota.failed("a", 0, askedMs);
  let ms = 0;
  while (rota.order(ms)[0] !== "a") ms++;
  return ms;
}

test("the rest doubles with each failure in a row, up to the longest rest", () => {
  expect([1, 2, 3, 4, 5].map((failures) => restAfter(failures, doubling))).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
  expect([1, 2, 3].map((failures) => restAfter(failures, constant))).toEqual([10_000, 10_000, 10_000]);
});

test("one that works begins anew, and at once", () => {
  const rota = createRotation(["a", "b"], doubling);
  rota.failed("a", 0);
  rota.failed("a", 0);
  rota.worked("a");

  expect(rota.order(0)).toEqual(["a", "b"]);
  rota.failed("a", 0);
  expect([rota.order(999), rota.order(1_000)]).toEqual([
    ["b", "a"],
    ["a", "b"],
  ]);
});

test("a requested rest counts when it is longer than the node's own rest", () => {
  expect([restAfter(1, doubling, 30_000), restAfter(2, doubling, 500), restAfter(1, doubling, 0)]).toEqual([
    30_000, 2_000, 1_000,
  ]);
});

test("a node that it does not know is a bug", () => {
  expect(() => createRotation(["a"], doubling).worked("b")).toThrow(new Error("a node of another rota"));
});
