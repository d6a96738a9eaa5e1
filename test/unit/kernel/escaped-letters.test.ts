import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutEscapedLetters } from "../../../src/kernel/escaped-letters.ts";
import { parseExact } from "../../../src/kernel/json.ts";

test("a key that is spelled with an escape is itself, whatever was read before", () => {
  // What makes V8 expect the key \u0061d there.
  for (const text of ['{"\\"":1}', '{"\\\\":1}', '{"\\\\":1}', '{"\\\\":1}', '{"\\"":1}', '{"\\u0061":1}', '{"\\n":1}'])
    JSON.parse(text);
  for (let i = 0; i < 3; i++) JSON.parse('{"x":1,"\\\\u0061d":1}');

  expect(parseExact('{"x":1,"\\u0061ddress":"0x"}')).toEqual({ x: 1, address: "0x" });
});

test.each([
  ['{"\\u0061\\u005F\\u0039":"\\u005a"}', '{"a_9":"Z"}'],
  ['{"\\\\u0061":"\\\\\\u0061"}', '{"\\\\u0061":"\\\\a"}'],
  ['"\\u0022\\u005c\\u0020\\u00e9\\u0141\\ud83d"', '"\\u0022\\u005c\\u0020\\u00e9\\u0141\\ud83d"'],
  ['{"a":1}', '{"a":1}'],
])("%s is %s", (text, plain) => {
  expect(withoutEscapedLetters(text)).toBe(plain);
});

test("what is no JSON does not become it", () => {
  expect(() => withoutEscapedLetters("\\u0074rue")).toThrow(SyntaxError);
});

test("text says the same", () => {
  const escaped = (value: string) =>
    `"${[...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "Z", "_", "7", '"', "\\", "\n", "u", "0") }), (value) => {
      expect(JSON.parse(withoutEscapedLetters(escaped(value)))).toBe(value);
      expect(JSON.parse(withoutEscapedLetters(JSON.stringify(value)))).toBe(value);
    }),
  );
});
