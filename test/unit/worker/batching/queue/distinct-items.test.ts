import { expect, test } from "vitest";
import { DistinctItems } from "../../../../../src/worker/batching/queue/distinct-items.ts";
import { chainOf, evm, partAbout } from "../../../../support/poisoning-parts.ts";

test("a user, target or token counts once in its array on each chain", () => {
  const items = new DistinctItems();
  const part = partAbout({ target: evm(1), token: evm(2), users: [evm(3), evm(4)] });

  items.add(part);
  expect(items.size).toBe(4);
  items.add(part);
  expect(items.size).toBe(4);
  items.add(partAbout({ target: evm(2), token: evm(1), users: [evm(3)] }));
  expect(items.size).toBe(6);
  items.add(partAbout({ target: evm(1), users: [evm(3)], chain: chainOf("56") }));
  expect(items.size).toBe(8);
});
