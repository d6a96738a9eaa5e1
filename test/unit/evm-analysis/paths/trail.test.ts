import { expect, test } from "vitest";
import { createPool } from "../../../../src/evm-analysis/machine/expr.ts";
import { addNode, after, type PathTrace } from "../../../../src/evm-analysis/paths/path.ts";
import { createTrail } from "../../../../src/evm-analysis/paths/trail.ts";

const pool = createPool();
const [a, b, c] = ["A", "B", "C"].map((name) => pool.make(name));
if (!a || !b || !c) throw new Error("three conditions");
const node = addNode([], 0);

const went = (before: PathTrace | undefined, tested: typeof a, truth: boolean, context = 1): PathTrace =>
  after(before, { kind: "branch", pc: 0, tested, truth, jumped: truth, context, taken: node, other: node });
const wrote = (before: PathTrace) => after(before, { kind: "write", pc: 0, key: a, value: b });

test("a path knows its own decisions, and none of another path that forked off", () => {
  const trail = createTrail();
  const shared = wrote(went(undefined, a, true));
  const left = went(shared, b, true);
  const right = went(wrote(went(shared, b, false)), c, true, 2);
  const said = () => [a, b, c].map(trail.decided);

  trail.follow(left);
  expect(said()).toEqual([true, true, undefined]);
  trail.follow(right);
  expect(said()).toEqual([true, false, true]);
  trail.follow(shared);
  expect(said()).toEqual([true, undefined, undefined]);
  trail.follow(undefined);
  expect(said()).toEqual([undefined, undefined, undefined]);
});

test("rounds belong to the current path", () => {
  const trail = createTrail();
  const shared = went(undefined, a, true);

  trail.follow(went(went(shared, b, true), c, false));
  expect(trail.rounds(1)).toEqual({ jumped: 2, fell: 1 });
  trail.follow(went(shared, b, false, 2));
  expect([trail.rounds(1), trail.rounds(2)]).toEqual([
    { jumped: 1, fell: 0 },
    { jumped: 0, fell: 1 },
  ]);
  expect(trail.rounds(3)).toEqual({ jumped: 0, fell: 0 });
});
