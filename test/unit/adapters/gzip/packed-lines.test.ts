import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { MAX_LINES_BYTES, packLines, unpackLines } from "../../../../src/adapters/gzip/packed-lines.ts";

const lines = Buffer.from('{"n":1}\n{"n":2}\n');

test("what is packed is unpacked", async () => {
  expect(await unpackLines(await packLines(lines), "x")).toEqual(lines);
});

test("the same lines are packed into the same bytes", async () => {
  expect(await packLines(lines)).toEqual(await packLines(lines));
});

test("every cut of a packed object is refused, by name", async () => {
  const packed = await packLines(lines);

  for (let length = 0; length < packed.length; length++) {
    await expect(unpackLines(packed.subarray(0, length), "the object k")).rejects.toMatchObject({
      code: "OBJECT_UNREADABLE",
      retryable: false,
      message: "the object k is cut short",
    });
  }
});

test("a bomb is refused at its bound", async () => {
  // Gzip is what stands in it, one part after another.
  const part = gzipSync(Buffer.alloc(1 << 24));
  const bomb = Buffer.concat(Array(MAX_LINES_BYTES / (1 << 24) + 1).fill(part));

  await expect(unpackLines(bomb, "the object k")).rejects.toThrow(/^the object k unpacks to more than 268435456 bytes/);
});
