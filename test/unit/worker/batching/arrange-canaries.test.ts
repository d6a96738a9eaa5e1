import { expect, test } from "vitest";
import { arrangeCanaries, BatchSegment } from "../../../../src/worker/batching/arrange-canaries.ts";
import { BatchConflicts } from "../../../../src/worker/batching/queue/batch-conflicts.ts";
import { calibrated, evm } from "../../../support/poisoning-parts.ts";

const apart = new BatchConflicts("evm", calibrated);
const named = (i: number) => apart.user("1", evm(i));
const rowOf = ({ front = [], middle = [], back = [] }: Partial<Record<"front" | "middle" | "back", number[]>>) => {
  const row = new BatchSegment();
  row.front.push(...front.map(named));
  row.middle.push(...middle.map(named));
  row.back.push(...back.map(named));
  return row;
};
const texts = (all: readonly { readonly item: { readonly address: string } }[]) => all.map(({ item }) => item.address);

test("an item between the ends is moved to an end, also the first and the last, and no other item moves", () => {
  const row = rowOf({ middle: [1, 2, 3] });
  row.move(named(1), "front");
  row.move(named(3), "back");
  expect([row.front, row.middle, row.back].map(texts)).toEqual([[evm(1)], [evm(2)], [evm(3)]]);

  row.move(named(1), "back");
  row.move(named(4), "front");
  expect([row.front, row.middle, row.back].map(texts)).toEqual([[evm(1)], [evm(2)], [evm(3)]]);
});

test("the front items of all rows come first and the back items last, and each third is shuffled by Fisher and Yates", () => {
  const rows = [
    rowOf({ front: [1], middle: [2, 3, 4], back: [5, 6] }),
    rowOf({ front: [11], middle: [12], back: [15] }),
  ];
  const draws: number[] = [];
  const always = (drawn: number) => () => {
    draws.push(drawn);
    return drawn;
  };

  // The lowest draw moves the first item of a third to its end, then the item that replaced it, and so on.
  expect(texts(arrangeCanaries(rows, always(0)))).toEqual([11, 1, 3, 4, 12, 2, 6, 15, 5].map(evm));
  expect(texts(arrangeCanaries(rows, always(0.999)))).toEqual([1, 11, 2, 3, 4, 12, 5, 6, 15].map(evm));
  // One draw less than the items of a third.
  expect(draws).toHaveLength(2 * (1 + 3 + 2));
});
