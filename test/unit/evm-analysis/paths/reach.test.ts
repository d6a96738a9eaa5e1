import { expect, test } from "vitest";
import { addNode, link, type Node } from "../../../../src/evm-analysis/paths/path.ts";
import { graphOf, leadingTo, leadingToEach } from "../../../../src/evm-analysis/paths/reach.ts";

// 0 -> 1 -> 3 -> 1, 0 -> 2 -> 4, 3 -> 4
const nodes: Node[] = [];
const start = addNode(nodes, 0);
const loop = addNode(nodes, 1, start);
const side = addNode(nodes, 2, start);
const back = addNode(nodes, 3, loop);
const end = addNode(nodes, 4, side);
link(back, loop);
link(back, end);

test("every node with a path to a target is found, also in rounds of loops", () => {
  expect([...leadingTo(graphOf(nodes), [end])]).toEqual([1, 1, 1, 1, 1]);
  expect([...leadingTo(graphOf(nodes), [back])]).toEqual([1, 1, 0, 1, 0]);
});

test("paths through barred nodes do not count, and neither does a barred target", () => {
  expect([...leadingTo(graphOf(nodes), [end], Uint8Array.of(0, 0, 1, 1, 0))]).toEqual([0, 0, 0, 0, 1]);
  expect([...leadingTo(graphOf(nodes), [end], Uint8Array.of(0, 0, 0, 0, 1))]).toEqual([0, 0, 0, 0, 0]);
});

test("several sets of targets are followed at once with the results of separate searches", () => {
  expect([...leadingToEach(graphOf(nodes), [[end], [back], [side]])]).toEqual([7, 3, 5, 3, 1]);
});
