import { describe, expect, test } from "vitest";
import { ChainId, Decimal, Flag, OperationsBitmap } from "../../../src/api/fields.ts";
import { parseExact } from "../../../src/kernel/json.ts";

test.each(["0", "1"])("%j is a flag", (flag) => {
  expect(Flag.parse(flag)).toBe(flag);
});

test.each([0, 1, true, false, "", "2", "true", null])("%j is no flag", (flag) => {
  expect(Flag.safeParse(flag).success).toBe(false);
});

test.each([
  ["1", "1"],
  [1, "1"],
  ["eth", "eth"],
  ["", ""],
  [728126428, "728126428"],
])("the chain id %j becomes %j", (sent, text) => {
  expect(ChainId.parse(sent)).toBe(text);
});

test.each([
  ["9007199254740991", "9007199254740991"],
  ["9007199254740992", "9007199254740992"],
  ["9007199254740993", "9007199254740993"],
  ["99999999999999999999", "99999999999999999999"],
  ["9".repeat(400), "9".repeat(400)],
  ["1e21", "1000000000000000000000"],
  ["1e0", "1"],
  ["1.00E+2", "100"],
  ["1.0", "1"],
])("the number %s of a JSON text becomes the chain id %s", (json, text) => {
  expect(ChainId.parse(parseExact(json))).toBe(text);
});

test("a number that was not read exactly becomes its own chain id", () => {
  expect(ChainId.parse(2 ** 53)).toBe("9007199254740992");
  expect(ChainId.parse(1e20)).toBe("100000000000000000000");
});

test.each([
  "1.5",
  "-1",
  "-0",
  "5.6e1",
  "-1e30",
  "1e-400",
  "9007199254740993.5",
  "1e400",
  "null",
  "true",
  '["1"]',
  "{}",
])("%s is no chain id", (json) => {
  expect(ChainId.safeParse(parseExact(json)).error?.issues.map(({ message }) => message)).toEqual([
    "must be a string or a non-negative integer",
  ]);
});

test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY])("%s is no chain id", (sent) => {
  expect(ChainId.safeParse(sent).success).toBe(false);
});

describe("decimal integers", () => {
  test.each(["0", "7", "9007199254740991", "9007199254740992", "9007199254740993", "1".repeat(78)])(
    "%s keeps its text, as a number and as a string",
    (digits) => {
      expect(JSON.stringify(Decimal.parse(parseExact(digits)))).toBe(digits);
      expect(Decimal.parse(digits)).toBe(digits);
    },
  );

  test.each(["-1", "1.5", "1e3", "1E+2", "-9007199254740993", "1e21", "1e400", '"0x10"', '""', '"1 "', "null", "true"])(
    "%s is no decimal integer",
    (json) => {
      expect(Decimal.safeParse(parseExact(json)).error?.issues[0]?.message).toBe("must be a decimal integer");
    },
  );
});

test.each([
  ["7f".repeat(32), true],
  [`${"A".repeat(43)}=`, true],
  ["A".repeat(43), true],
  [`${"A".repeat(43)}==`, false],
  ["A".repeat(42), false],
  [`${"A".repeat(42)}=`, false],
  ["7f".repeat(31), false],
  ["A".repeat(44), false],
  [`0x${"7f".repeat(31)}`, false],
])("%s as a bitmap of 32 bytes: %j", (text, fits) => {
  expect(OperationsBitmap.safeParse(text).success).toBe(fits);
});
