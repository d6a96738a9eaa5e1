import { expect, test } from "vitest";
import { noArrivals } from "../../../../src/evm-analysis/paths/arrivals.ts";
import { addNode, type Node } from "../../../../src/evm-analysis/paths/path.ts";

test("nodes of one place with digests that agree in one half are distinguished", () => {
  const nodes: Node[] = [];
  const [first, second, third] = [addNode(nodes, 0), addNode(nodes, 0), addNode(nodes, 0)];
  const { seen } = noArrivals();
  seen.add(1, 7, first);
  seen.add(-1, 7, second);
  seen.add(1, -7, third);

  expect([seen.get(1, 7), seen.get(-1, 7), seen.get(1, -7)]).toEqual([first, second, third]);
  expect([seen.get(2, 7), seen.get(-1, -7)]).toEqual([undefined, undefined]);
});
