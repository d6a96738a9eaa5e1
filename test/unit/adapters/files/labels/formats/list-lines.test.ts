import fc from "fast-check";
import { expect, test } from "vitest";
import { listLines } from "../../../../../../src/adapters/files/labels/formats/list-lines.ts";
import { textSource } from "../../../../../support/list-source.ts";

const linesIn = (text: string, pieceLength = 3) => Array.fromAsync(listLines(textSource(text, pieceLength)));

test("lines have numbers and no line ends, and the last line tells whether it has an end", async () => {
  expect(await linesIn("ab\r\n\ncdefgh\nrest")).toEqual([
    { number: 1, text: "ab", isEnded: true },
    { number: 2, text: "", isEnded: true },
    { number: 3, text: "cdefgh", isEnded: true },
    { number: 4, text: "rest", isEnded: false },
  ]);
  expect(await linesIn("")).toEqual([]);
});

test("the lines of a text do not depend on its pieces", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "\n", "\r\n", "b")),
      fc.integer({ min: 1, max: 5 }),
      async (parts, n) => {
        const text = parts.join("");
        expect(await linesIn(text, n)).toEqual(await linesIn(text, 1_000));
      },
    ),
  );
});

test("a line without an end is refused before it fills the memory", async () => {
  let pieces = 0;
  const source = {
    ...textSource(""),
    async *pieces() {
      for (;;) {
        pieces++;
        yield "x".repeat(2 ** 20);
      }
    },
  };

  await expect(Array.fromAsync(listLines(source))).rejects.toThrow("line 1 has more than 16777216 characters");
  expect(pieces).toBe(17);
});
