import { expect, test } from "vitest";
import { SettledLines } from "../../../../src/adapters/files/settled-lines.ts";
import { sha256 } from "../../../../src/kernel/sha256.ts";

test("a line is settled by its verdict, and by no other", () => {
  const lines = new SettledLines();
  const far = 10_000_000;
  for (const line of [1, 65_535, 65_536, far]) lines.add(line, sha256(String(line)));

  expect([1, 65_535, 65_536, far].map((line) => lines.lookUp(line, sha256(String(line))))).toEqual(
    new Array(4).fill("settled"),
  );
  expect(lines.lookUp(1, sha256("another"))).toBe("other");
  expect([2, 65_537, far + 1, 99_999_999].map((line) => lines.lookUp(line, sha256("1")))).toEqual(
    new Array(4).fill("open"),
  );
  expect(lines.size).toBe(4);
});

test("a verdict id that begins with zeros is a mark like any other", () => {
  const lines = new SettledLines();
  lines.add(7, "0".repeat(64));
  lines.add(7, "0".repeat(64));

  expect(lines.lookUp(7, "0".repeat(64))).toBe("settled");
  expect(lines.size).toBe(1);
});
