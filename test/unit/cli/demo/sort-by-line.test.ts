import { expect, test } from "vitest";
import { sortByLine } from "../../../../src/cli/demo/sort-by-line.ts";

test("each verdict is shown once all earlier lines were, and the rest at the end in line order", () => {
  const shown: number[] = [];
  const order = sortByLine(({ source }: { source: { file: string; line: number } }) => void shown.push(source.line));
  const take = (line: number) => order.take({ source: { file: "a", line } });

  take(2);
  take(1);
  expect(shown).toEqual([1, 2]);
  take(6);
  take(5);
  take(3);
  expect(shown).toEqual([1, 2, 3]);
  order.rest();
  expect(shown).toEqual([1, 2, 3, 5, 6]);
});
