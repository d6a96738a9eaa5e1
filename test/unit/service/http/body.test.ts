import { describe, expect, test } from "vitest";
import { isRawNumber } from "../../../../src/kernel/json.ts";
import { parseBody } from "../../../../src/service/http/body.ts";

const parse = (text: string, exactNumbers = false) => parseBody(Buffer.from(text), exactNumbers);

describe.each([false, true])("with exact numbers %j", (exactNumbers) => {
  test.each([
    ["{}", {}],
    [' [1, "a", null] ', [1, "a", null]],
    ['"ü𝒳\\ud800"', "ü𝒳\ud800"],
    ["0", 0],
    ["null", null],
  ])("the body %s is read", (text, value) => {
    expect(parse(text, exactNumbers)).toEqual({ ok: true, value });
  });

  test.each([
    ["nothing", "", "body is empty"],
    ["white space", " ", "body is not valid JSON"],
    ["half a value", '{"secret":"hunter2"', "body is not valid JSON"],
    ["two values", "1 2", "body is not valid JSON"],
    ["a byte order mark", "\ufeff{}", "body is not valid JSON"],
    ["65 levels", "[".repeat(65) + "]".repeat(65), "body is nested deeper than 64 levels"],
    ["65 levels never closed", "[".repeat(65), "body is nested deeper than 64 levels"],
  ])("a body of %s is refused without quoting the body", (_what, text, detail) => {
    expect(parse(text, exactNumbers)).toEqual({ ok: false, detail });
  });

  test.each([
    ['{"user_address":"a","user_address":""}', "user_address: given twice"],
    ['{"user_addresses":[{"address":"a","address":"b"}]}', "address: given twice"],
  ])("the body %s is refused, because the parser would keep only the last of two equal keys", (text, detail) => {
    expect(parse(text, exactNumbers)).toEqual({ ok: false, detail });
  });

  test("64 levels are read, and brackets inside a text do not count", () => {
    expect(parse("[".repeat(64) + "]".repeat(64), exactNumbers)).toMatchObject({ ok: true });
    expect(parse(JSON.stringify('\\"'.repeat(9) + "[".repeat(1_000)), exactNumbers)).toMatchObject({ ok: true });
  });

  test.each([
    ["a byte that starts nothing", [0x22, 0xff, 0x22]],
    ["a sequence cut short", [0x22, 0xc3, 0x22]],
    ["an overlong slash", [0x22, 0xc0, 0xaf, 0x22]],
    ["half a surrogate pair", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])("a body with %s is refused as invalid UTF-8", (_what, bytes) => {
    expect(parseBody(Uint8Array.from(bytes), exactNumbers)).toEqual({ ok: false, detail: "body is not valid UTF-8" });
  });
});

test("a number beyond 2^53 keeps its text only with exact numbers", () => {
  const [exact, rounded] = [parse("9007199254740993", true), parse("9007199254740993")];

  expect(exact.ok && isRawNumber(exact.value) && exact.value.rawJSON).toBe("9007199254740993");
  expect(rounded).toEqual({ ok: true, value: 9007199254740992 });
});

test("__proto__ is an ordinary member and changes no prototype", () => {
  const read = parse('{"__proto__":{"polluted":1}}');

  expect(read.ok && Object.keys(read.value as object)).toEqual(["__proto__"]);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});
