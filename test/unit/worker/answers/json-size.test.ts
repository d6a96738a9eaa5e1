import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonSize } from "../../../../src/worker/answers/json-size.ts";

test.each<[string, unknown, number]>([
  ["a text", "abc", 1],
  ["a number", -1.5, 1],
  ["nothing", null, 1],
  ["an empty object", {}, 1],
  ["an empty list", [], 1],
  ["fields", { a: "x", b: true, c: null }, 4],
  ["a field without a value", { a: "x", b: undefined }, 2],
  ["a list of lists", [[], ["x", {}], 7], 6],
  ["an answer", { target: { is_poisoning: "0", risks: [{ level: 3 }] } }, 6],
])("%s has the length of its JSON and the right number of pieces", (_name, value, pieces) => {
  expect(jsonSize(value)).toEqual({ characters: JSON.stringify(value).length, pieces });
});

test("an escaped character counts as one character", () => {
  expect(jsonSize({ "a\n": '"' })).toEqual({ characters: '{"a_":"_"}'.length, pieces: 2 });
});

test("a value of plain texts has the exact length of its JSON", () => {
  const plain = fc.string({ unit: fc.constantFrom(..."abcXYZ 0189_-.") });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, plain, fc.boolean(), fc.integer(), fc.constant(null), tie("list"), tie("fields")),
    list: fc.array(tie("value"), { maxLength: 6 }),
    fields: fc.dictionary(plain, tie("value"), { maxKeys: 6 }),
  }));
  fc.assert(
    fc.property(value, (each) => {
      expect(jsonSize(each).characters).toBe(JSON.stringify(each).length);
    }),
  );
});
