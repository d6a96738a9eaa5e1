import { expect, test } from "vitest";
import { LineSet } from "../../../../src/adapters/files/line-set.ts";

test("a set holds what was added and nothing beside it", () => {
  const lines = new LineSet();
  const added = [1, 7, 8, 9, 63, 64, 8_191, 8_192, 8_193, 1_000_000];

  for (const line of added) lines.add(line);

  for (const line of added) {
    expect(lines.has(line), `${line}`).toBe(true);
    for (const beside of [line - 1, line + 1]) expect(lines.has(beside), `${beside}`).toBe(added.includes(beside));
  }
  expect(lines.size).toBe(added.length);
});

test("a line counts once, however often it is added", () => {
  const lines = new LineSet();

  for (let i = 0; i < 3; i++) lines.add(5);

  expect(lines.size).toBe(1);
});

test("an empty set holds no line, not even one beyond its memory", () => {
  expect([0, 1, 1_000_000].map((line) => new LineSet().has(line))).toEqual([false, false, false]);
});

test("every line of a long file is kept while the set grows", () => {
  const lines = new LineSet();

  for (let line = 1; line <= 50_000; line += 3) lines.add(line);

  for (let line = 1; line <= 50_000; line++) if (lines.has(line) !== (line % 3 === 1)) expect.fail(`line ${line}`);
  expect(lines.size).toBe(16_667);
});
