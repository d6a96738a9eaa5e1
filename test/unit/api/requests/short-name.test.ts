import { expect, test } from "vitest";
import { shortName } from "../../../../src/api/requests/short-name.ts";

test.each([
  ["user_adresses", "user_adresses"],
  ["größe €", "größe €"],
  ["a\u001b[2Jb\r\nc\u0000", "a\uFFFD[2Jb\uFFFD\uFFFDc\uFFFD"],
  ["a\u202eb\u2028c\u0085d", "a\uFFFDb\uFFFDc\uFFFDd"],
  ["x".repeat(60), "x".repeat(60)],
  ["x".repeat(61), `${"x".repeat(60)}...`],
])("%j is shown as %j", (name, shown) => {
  expect(shortName(name)).toBe(shown);
});

test("half a character at the cut is replaced too", () => {
  expect(shortName(`${"x".repeat(59)}\u{1f600}`)).toBe(`${"x".repeat(59)}\uFFFD...`);
});
