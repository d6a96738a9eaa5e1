import { expect, test } from "vitest";
import { noArrivals } from "../../../../src/service/bytecode/arrivals.ts";
import { addNode, type Node } from "../../../../src/service/bytecode/path.ts";

test("nodes of one place whose digests agree in one half are told apart", () => {
  const nodes: Node[] = [];
  const [first, second, third] = [addNode(nodes, 0), addNode(nodes, 0), addNode(nodes, 0)];
  const { seen } = noArrivals();
  seen.add(1, 7, first);
  seen.add(-1, 7, second);
  seen.add(1, -7, third);

  expect([seen.get(1, 7), seen.get(-1, 7), seen.get(1, -7)]).toEqual([first, second, third]);
  expect([seen.get(2, 7), seen.get(-1, -7)]).toEqual([undefined, undefined]);
});
