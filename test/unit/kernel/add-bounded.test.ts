import { expect, test } from "vitest";
import { addBounded } from "../../../src/kernel/collections.ts";

function counting() {
  let computed = 0;
  const lengthOf = addBounded((text) => {
    computed++;
    return text === "" ? undefined : text.length;
  });
  return { lengthOf, computed: () => computed };
}

test("a result is computed once, even when it is undefined", () => {
  const { lengthOf, computed } = counting();

  expect([lengthOf("ab"), lengthOf(""), lengthOf("ab"), lengthOf("")]).toEqual([2, undefined, 2, undefined]);
  expect(computed()).toBe(2);
});

test("neither long texts nor more than 1,000 texts are kept, and their results are right", () => {
  const { lengthOf, computed } = counting();
  const long = "x".repeat(101);
  expect([lengthOf(long), lengthOf(long), computed()]).toEqual([101, 101, 2]);

  for (let i = 0; i < 1_001; i++) lengthOf(`t${i}`);
  const before = computed();
  expect([lengthOf("t999"), computed() - before]).toEqual([4, 0]);
  expect([lengthOf("t1000"), computed() - before]).toEqual([5, 1]);
});
