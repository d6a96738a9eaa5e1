import { expect, test } from "vitest";
import { liveLine } from "../../../../src/cli/demo/live-line.ts";

function outputOf(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, columns: 8, write: (text: string) => void written.push(text) } };
}

test("on a terminal the line is cut to the width, stays below the text, and vanishes at the end", () => {
  const { written, stream } = outputOf(true);
  const live = liveLine(
    stream,
    () => "1234567890",
    (text) => `<${text}>`,
  );

  live.print("one\ntwo");
  live.end();

  expect(written).toEqual(["\r\u001b[Kone\ntwo\n\r\u001b[K<1234567>", "\r\u001b[K"]);
});

test("outside of a terminal there is no line", () => {
  const { written, stream } = outputOf(false);
  const live = liveLine(
    stream,
    () => "never",
    (text) => text,
  );

  live.print("one");
  live.end();

  expect(written).toEqual(["one\n"]);
});
