import { writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { countLines, readLines } from "../../../../../src/adapters/files/input/lines.ts";
import { InputUnreadableError } from "../../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../../support/folder.ts";

async function fileOf(content: string | Uint8Array, name = "input.txt"): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, content);
  return file;
}

const linesOf = async (file: string, maxBytes = 100) =>
  (await Array.fromAsync(readLines(file, maxBytes))).map(({ number, bytes }) => [number, bytes.toString()]);

describe.each<[string, string, readonly string[]]>([
  ["an empty file", "", []],
  ["one line with its end", "a\n", ["a"]],
  ["one line without its end", "a", ["a"]],
  ["several lines", "a\nb\nc\n", ["a", "b", "c"]],
  ["a last line without its end", "a\nb", ["a", "b"]],
  ["empty lines", "\n\na\n\n", ["", "", "a", ""]],
  ["Windows line ends", "a\r\nb\r\n", ["a", "b"]],
  ["Windows line ends, the last one torn", "a\r\nb\r", ["a", "b"]],
  ["carriage returns inside a line", "a\rb\r\r\n", ["a\rb\r"]],
  ["characters of several bytes", "é\n€\n\u{1f600}", ["é", "€", "\u{1f600}"]],
  ["line separators of Unicode", "a\u2028b\u0085c", ["a\u2028b\u0085c"]],
])("%s", (_name, content, lines) => {
  test("is read line by line, numbered from 1", async () => {
    expect(await linesOf(await fileOf(content))).toEqual(lines.map((line, i) => [i + 1, line]));
  });

  test("is read in the same way when it is packed", async () => {
    expect(await linesOf(await fileOf(gzipSync(content), "input.gz"))).toEqual(lines.map((line, i) => [i + 1, line]));
  });

  test("is read in the same way when it is packed and its name does not show that", async () => {
    expect(await linesOf(await fileOf(gzipSync(content)))).toEqual(lines.map((line, i) => [i + 1, line]));
  });

  test("has as many lines as the count shows", async () => {
    expect(await countLines(await fileOf(content))).toBe(lines.length);
  });
});

test("lines of a large file are whole across its chunks", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i}:${"x".repeat(i % 100)}`);
  const file = await fileOf(lines.join("\n"));

  expect(await linesOf(file, 1_000)).toEqual(lines.map((line, i) => [i + 1, line]));
  expect(await countLines(file)).toBe(20_000);
});

test("several packed files in one are read to the end", async () => {
  const file = await fileOf(Buffer.concat([gzipSync("a\nb"), gzipSync("c\n")]), "input.gz");

  expect(await linesOf(file)).toEqual([
    [1, "a"],
    [2, "bc"],
  ]);
});

describe("an overlong line is cut at a length that still shows that it was too long", () => {
  const sizes = async (content: string) =>
    (await Array.fromAsync(readLines(await fileOf(content), 5))).map(({ bytes }) => bytes.length);

  test.each<[string, string, readonly number[]]>([
    ["at the limit", "12345\na\n", [5, 1]],
    ["at the limit with a Windows line end", "12345\r\na\r\n", [5, 1]],
    ["at the limit without its end", "12345", [5]],
    ["one byte above", "123456\na\n", [6, 1]],
    ["one byte above with a Windows line end", "123456\r\na\r\n", [6, 1]],
    ["far above", `${"x".repeat(1_000)}\na\n`, [7, 1]],
    ["far above, at the end", `a\n${"x".repeat(1_000)}`, [1, 7]],
    ["above it, with a carriage return at the limit", "12345\rgarbage\na\n", [7, 1]],
    ["above it, with carriage returns at the limit", "12345\r\r\r\na\n", [6, 1]],
  ])("%s", async (_name, content, expected) => {
    expect(await sizes(content)).toEqual(expected);
  });

  test("one endless line does not fill the memory", async () => {
    const file = await fileOf(gzipSync(Buffer.alloc(64 * 1024 * 1024, "x")), "bomb.gz");

    const [line, ...more] = await Array.fromAsync(readLines(file, 262_144));

    expect(line?.bytes.length).toBe(262_146);
    expect(more).toEqual([]);
  });
});

test.each([
  ["-", undefined],
  ["events.ndjson.gz", undefined],
])("the number of lines in %s is unknown beforehand", async (file, count) => {
  expect(await countLines(file)).toBe(count);
});

test("the number of lines in a packed file without a packed name is unknown, too", async () => {
  expect(await countLines(await fileOf(gzipSync("a\nb\n")))).toBeUndefined();
});

test("an unreadable file is refused by both functions", async () => {
  const refusal = "cannot read /nowhere/absent.txt: ENOENT: there is no such file: check its name and folder";

  await expect(linesOf("/nowhere/absent.txt")).rejects.toThrow(new InputUnreadableError(refusal));
  await expect(countLines("/nowhere/absent.txt")).rejects.toThrow(new InputUnreadableError(refusal));
});
