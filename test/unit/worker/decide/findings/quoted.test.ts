import { expect, test } from "vitest";
import { quoted } from "../../../../../src/worker/decide/findings/quoted.ts";

test.each([
  ["Wormhole token bridge", "Wormhole token bridge"],
  ["", ""],
  ["USD\u20ae", "USD\u20ae"],
  ["a\u001b[2Jb\nc\u0000", "a\uFFFD[2Jb\uFFFDc\uFFFD"],
  ["USD\u202eT\u200b", "USD\uFFFDT\uFFFD"],
  ["a\u2028b\u2029", "a\uFFFDb\uFFFD"],
  ["\ud83d", "\uFFFD"],
])("%j is quoted as %j", (text, shown) => {
  expect(quoted(text)).toBe(shown);
});

test("text is cut after 80 characters, never inside a character", () => {
  expect(quoted("a".repeat(80))).toBe("a".repeat(80));
  expect(quoted("a".repeat(81))).toBe(`${"a".repeat(79)}…`);
  expect(quoted("\u{1f30a}".repeat(80))).toBe("\u{1f30a}".repeat(80));
  expect(quoted("\u{1f30a}".repeat(5000))).toBe(`${"\u{1f30a}".repeat(79)}…`);
});
