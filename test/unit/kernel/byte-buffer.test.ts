import { expect, test } from "vitest";
import { ByteBuffer } from "../../../src/kernel/byte-buffer.ts";

const SIZES = { initialBytes: 65_536, keptBytes: 1 << 20 };

test("lines are appended as UTF-8 at any size, and clear removes them", () => {
  const buffer = new ByteBuffer(SIZES);
  const large = "é€😀".repeat(1 << 18);
  for (const lines of [[], ["a", "", "b€"], ["x".repeat(65_535)], ["x".repeat(65_536), "y"], [large, "z"], ["c"]]) {
    for (const line of lines) {
      buffer.addText(line);
      buffer.addByte(0x0a);
    }

    expect(buffer.bytes.equals(Buffer.from(lines.map((line) => `${line}\n`).join("")))).toBe(true);
    buffer.clear();
    expect(buffer.bytes).toHaveLength(0);
  }
});

test("bytes are appended unchanged and do not follow later changes of their source", () => {
  const buffer = new ByteBuffer({ initialBytes: 4, keptBytes: 4 });
  const piece = Buffer.from([1, 2, 3]);

  buffer.add(piece);
  piece.fill(9);
  buffer.add(Buffer.alloc(0));
  buffer.add(piece);
  buffer.addText("a");

  expect([...buffer.bytes]).toEqual([1, 2, 3, 9, 9, 9, 0x61]);
});

test("a string is written as JSON", () => {
  const buffer = new ByteBuffer({ initialBytes: 1, keptBytes: 1 });
  for (let code = 0; code < 0x1_00_00; code++) {
    const text = `a${String.fromCharCode(code)}z`;
    buffer.clear();
    buffer.addString(text);
    if (buffer.bytes.toString() !== JSON.stringify(text)) expect(buffer.bytes.toString()).toBe(JSON.stringify(text));
  }
  for (const text of ["", "a", '"', "\\", "é€😀", "\ud800 \udc00", "\u0000".repeat(500), "x".repeat(5_000)]) {
    buffer.clear();
    buffer.addString(text);
    expect(buffer.bytes.toString()).toBe(JSON.stringify(text));
  }
});

test("a number is written as JSON", () => {
  const numbers = [0, -0, 9, 10, 99, 100, 123_456_789, 2 ** 32, Number.MAX_SAFE_INTEGER, 2 ** 53, -1, 0.5, 1e21, 1e-7];
  for (const number of [...numbers, Number.NaN, Number.POSITIVE_INFINITY]) {
    const buffer = new ByteBuffer({ initialBytes: 1, keptBytes: 1 });
    buffer.addNumber(7);
    buffer.addNumber(number);
    expect(buffer.bytes.toString()).toBe(`7${JSON.stringify(number)}`);
  }
});

test("memory is reused, up to the size to be kept", () => {
  const buffer = new ByteBuffer({ initialBytes: 4, keptBytes: 16 });
  const memoryOf = (bytes: number) => {
    buffer.clear();
    buffer.add(Buffer.alloc(bytes));
    return buffer.bytes.buffer;
  };

  const small = memoryOf(16);
  expect([memoryOf(1), memoryOf(16)]).toEqual([small, small]);
  expect([small.byteLength, memoryOf(17).byteLength, memoryOf(1).byteLength]).toEqual([16, 32, 4]);
});
