import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExact } from "../../../src/kernel/json.ts";
import { withoutEscapedLetters } from "../../../src/kernel/text.ts";

test("a key that is spelled with an escape is read as itself, whatever was read before", () => {
  // These texts make V8 expect the key \u0061d.
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
])("%s becomes %s", (text, plain) => {
  expect(withoutEscapedLetters(text)).toBe(plain);
});

test("text that is not JSON does not become JSON", () => {
  expect(() => withoutEscapedLetters("\\u0074rue")).toThrow(SyntaxError);
});

test("the meaning of a text stays the same", () => {
  const escaped = (value: string) =>
    `"${[...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "Z", "_", "7", '"', "\\", "\n", "u", "0") }), (value) => {
      expect(JSON.parse(withoutEscapedLetters(escaped(value)))).toBe(value);
      expect(JSON.parse(withoutEscapedLetters(JSON.stringify(value)))).toBe(value);
    }),
  );
});
