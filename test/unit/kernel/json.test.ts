import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  depthOf,
  isRawNumber,
  MAX_JSON_DEPTH,
  membersOf,
  parseExact,
  repeatedKey,
  shapeOf,
} from "../../../src/kernel/json.ts";

describe("the text of a number survives parsing and writing", () => {
  test.each(["9007199254740993", "1e400", "-0", "1.0", "1E3", "0.10", "123456789012345678901234567890"])(
    "%s",
    (text) => {
      const parsed = parseExact(`{"call_value":${text}}`);

      expect(JSON.stringify(parsed)).toBe(`{"call_value":${text}}`);
      expect(canonicalJson(parsed)).toBe(`{"call_value":${text}}`);
      expect(isRawNumber(Reflect.get(Object(parsed), "call_value"))).toBe(true);
    },
  );
});

test.each(["[\n -0]", '{"a" :\t1.0}', '["a:1",\r\n1e0]', " 12345678901234567 ", "[1,2,-12345678901234567]", "[1E0]"])(
  "with white space at any position: %j",
  (text) => {
    expect(canonicalJson(parseExact(text))).toBe(text.replace(/\s/g, ""));
  },
);

test.each([
  ["0", 0],
  ["1", 1],
  ["-7", -7],
  ["0.5", 0.5],
  ["9007199254740991", 9007199254740991],
])("%s stays a plain number", (text, number) => {
  expect(parseExact(text)).toBe(number);
  expect(isRawNumber(parseExact(text))).toBe(false);
});

test("a string that looks like a number stays a string", () => {
  expect(parseExact('"9007199254740993"')).toBe("9007199254740993");
});

test("numbers inside arrays and nested objects keep their text too", () => {
  expect(canonicalJson(parseExact('{"b":[1.0,{"a":-0}],"a":2}'))).toBe('{"a":2,"b":[1.0,{"a":-0}]}');
});

test("an object that only looks like a raw number is no raw number", () => {
  expect(isRawNumber({ rawJSON: "1" })).toBe(false);
  expect(isRawNumber(parseExact('{"rawJSON":"1"}'))).toBe(false);
});

test("nesting is accepted up to the limit and refused one level deeper", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  expect(parseExact(nested(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
  expect(() => parseExact(nested(MAX_JSON_DEPTH + 1))).toThrow(new SyntaxError("nested deeper than 64 levels"));
});

test.each([
  ["", 0],
  ["1", 0],
  ["{}", 1],
  ['{"a":[{}]}', 3],
  ["[[],[[]]]", 3],
  ['"[[[["', 0],
  ['{"a\\"[[[":"}]"}', 1],
  ['["\\\\",[]]', 2],
  ['["[[","]]",{"\\\\":"[{\\"["}]', 2],
  ['["\\\\\\"[[", [1]]', 2],
  ['["never ends [[[', 1],
  ['["never ends [[[\\"', 1],
])("the depth of %s is %i: brackets inside strings do not count", (text, depth) => {
  expect(depthOf(text)).toBe(depth);
});

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{ "b" : [1,"a"] , "a" : {"c":1} , "b" : 2 }', "b"],
  ['{"a":"b","b":"a","":0,"":0}', ""],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"\\"":1,"x":"\\\\","\\"":2}', '"'],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
])("in %s the key %j is repeated", (text, key) => {
  expect(repeatedKey(text)).toBe(key);
});

test.each([
  "{}",
  "[]",
  '"a"',
  "1",
  '{"a":1,"A":2,"a ":3}',
  '{"a":{"b":1,"b":2},"b":[{"a":1,"a":1}]}',
  '["a","a"]',
  '{"a":"x\\":1,\\"a","b":"\\\\"}',
  '{"a":",\\"a\\":"}',
])("in %s no key is repeated at the top level", (text) => {
  expect(repeatedKey(text)).toBeUndefined();
});

test.each([
  ['{"a":{"b":1,"b":2}}', 2, "b"],
  ['{"a":[{"b":1},{"c":0,"c":[]}]}', 3, "c"],
  ['{"a":[{"b":1},{"b":0}],"b":{"a":1}}', 64, undefined],
  ['{"a":{"b":{"c":1,"c":2}}}', 2, undefined],
  ['{"a":{"b":1},"a":{"b":1}}', 64, "a"],
  ['[{"a":1,"a":2}]', 2, "a"],
])("in %s down to level %j the repeated key is %j", (text, deepest, key) => {
  expect(repeatedKey(text, deepest)).toBe(key);
});

test.each(['{"a', '{"a"', '{"a":"', '"\\\\', ':"', "{:}"])(
  "the search for a repeated key ends in broken text too: %s",
  (text) => {
    expect(repeatedKey(text)).toBeUndefined();
  },
);

test("a key that an object repeats is a member that parsing loses", () => {
  const key = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "}", ","), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 }), (members) => {
      const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(", ")}}`;
      // Built without JSON.parse, which may take one escaped key for another (`text.ts`).
      const isLossy = new Set(members.map(([name]) => name)).size < members.length;

      expect(repeatedKey(text) !== undefined).toBe(isLossy);
    }),
  );
});

test.each([
  ["1", 0],
  ["[]", 0],
  ["{}", 0],
  ['"a:1"', 0],
  ['{"a":":","b\\":":[{"c":null},{"c":{}}],"__proto__":{"d":1}}', 6],
])("%s has %i members", (text, members) => {
  expect(shapeOf(text).members).toBe(members);
  expect(membersOf(JSON.parse(text))).toBe(members);
});

test.each([
  ["1", 1],
  ["[]", 2],
  ["[[],[]]", 5],
  ['{"a,[":",{","b":[1,2,{"c":null}]}', 7],
])("%s has no more than %i values", (text, values) => {
  expect(shapeOf(text).values).toBe(values);
});

test("no value has more values than its text reports", () => {
  const valuesOf = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce((sum: number, each) => sum + valuesOf(each), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(shapeOf(JSON.stringify(value)).values).toBeGreaterThanOrEqual(valuesOf(value));
    }),
  );
});

test("a number kept as text has no members", () => {
  expect(membersOf(parseExact('{"a":[9007199254740993]}'))).toBe(1);
});

test("a text has more members than its value exactly where an object repeats a key, at any depth", () => {
  const key = fc.string({ unit: fc.constantFrom("a", '"', "\\", ":", "{", "}", ","), maxLength: 3 });
  const white = fc.constantFrom("", " ", "\n");
  const members = fc.array(fc.tuple(key, white, fc.jsonValue({ maxDepth: 2 })), { maxLength: 6 });
  const around = fc.constantFrom<readonly [string, (inner: unknown) => unknown]>(
    ["$", (inner) => inner],
    ["[$,$]", (inner) => [inner, inner]],
    ['{"a":$}', (a) => ({ a })],
    ['[{"a":[{}],"b":$}]', (b) => [{ a: [{}], b }]],
  );
  fc.assert(
    fc.property(members, around, (all, [form, made]) => {
      const inner = `{${all.map(([name, space, value]) => `${JSON.stringify(name)}${space}:${JSON.stringify(value)}`)}}`;
      const text = form.replaceAll("$", () => inner);
      // Built without JSON.parse, which may take one escaped key for another (`text.ts`).
      const value = made(Object.fromEntries(all.map(([name, , each]) => [name, each])));
      const isLossy = repeatedKey(text, MAX_JSON_DEPTH) !== undefined;

      expect(shapeOf(text).members > membersOf(value)).toBe(isLossy);
    }),
  );
});

test("for any numbers, the text equals a parse of each number with its source", () => {
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,3})?([eE][+-]?\d{1,3})?$/);
  const white = fc.constantFrom("", " ", "\n\t");
  const asked = fc.array(fc.tuple(white, number, white), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(asked, fc.boolean(), (items, isObject) => {
      const texts = items.map((item, i) => (isObject ? `"${i}":${item.join("")}` : item.join("")));
      const text = isObject ? `{${texts.join(",")}}` : `[${texts.join(",")}]`;

      expect(canonicalJson(parseExact(text))).toBe(text.replace(/\s/g, ""));
      const isChanged = items.some(([, digits]) => String(Number(digits)) !== digits);
      expect(shapeOf(text).mayChange || !isChanged).toBe(true);
    }),
  );
});

test("a million brackets are refused without a stack overflow", () => {
  expect(() => parseExact("[".repeat(1_000_000))).toThrow("nested deeper than 64 levels");
});

test.each(["", "{", "{'a':1}", "01", "NaN", "[1,]", '{"a":1}}'])("%j is not JSON", (text) => {
  expect(() => parseExact(text)).toThrow(SyntaxError);
});

test("canonical text sorts keys by UTF-16 code units at every level and leaves no white space", () => {
  const value = { b: 1, a: { z: [2, { y: 1, x: "\u20ac" }], Z: null }, "": true, é: 1, "\u{1f600}": 1, "\uff00": 1 };

  expect(canonicalJson(value)).toBe(
    '{"":true,"a":{"Z":null,"z":[2,{"x":"€","y":1}]},"b":1,"é":1,"\u{1f600}":1,"\uff00":1}',
  );
});

test("canonical text does not depend on the order of keys, but depends on the order of items", () => {
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test("undefined members are left out and undefined items are null", () => {
  expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
});

test.each(['{"a":[1,2.50,"x",null,true],"b":{}}', '"a\\nb"', "null", "[]", "-0"])(
  "%s is its own canonical text",
  (text) => {
    expect(canonicalJson(parseExact(text))).toBe(text);
  },
);
