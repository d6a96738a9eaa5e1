import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { GzipPacking, MAX_LINES_BYTES, packLines, unpackLines } from "../../../../src/adapters/gzip/packed-lines.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";

const lines = Buffer.from('{"n":1}\n{"n":2}\n');

test("packed lines unpack to the same lines", async () => {
  expect(await unpackLines(await packLines(lines), "x")).toEqual(lines);
});

test.each([0, 15, 100_000, 5 << 20])(
  "%i bytes are packed in the same way as by gzip, in pieces of any size",
  async (size) => {
    const some = Buffer.from(
      Array.from({ length: Math.ceil(size / 72) }, (_, i) => `{"verdict_id":"${sha256(`${i}`)}"}`).join("\n"),
    ).subarray(0, size);

    expect((await packLines(some)).equals(gzipSync(some))).toBe(true);
  },
);

test.each([1, 777, 65_536, 1 << 18, 5 << 20])(
  "lines in pieces of %i bytes, each in the memory of the previous one, pack to the same bytes",
  async (size) => {
    const some = Buffer.from(
      Array.from({ length: Math.min(size * 40, 5 << 20) / 72 }, (_, i) => `{"id":"${sha256(`${i}`)}"}`).join("\n"),
    );
    const memory = Buffer.alloc(size);
    const packing = new GzipPacking();

    for (let at = 0; at < some.length; at += size) {
      const length = some.copy(memory, 0, at, at + size);
      await packing.add(memory.subarray(0, length));
      memory.fill("x");
    }
    const packed = await packing.end();
    packing.drop();

    expect(packed.equals(await packLines(some))).toBe(true);
  },
);

test("a dropped compression accepts no more lines", async () => {
  const packing = new GzipPacking();
  await packing.add(lines);

  packing.drop();

  await expect(packing.add(lines)).rejects.toThrow("Cannot call write after a stream was destroyed");
});

test("every truncation of a packed object is refused, by name", async () => {
  const packed = await packLines(lines);

  for (let length = 0; length < packed.length; length++) {
    await expect(unpackLines(packed.subarray(0, length), "the object k")).rejects.toMatchObject({
      code: "OBJECT_UNREADABLE",
      retryable: false,
      message: "the object k is cut short",
    });
  }
});

test("a decompression bomb is refused at its limit", async () => {
  // A gzip file may consist of several parts.
  const part = gzipSync(Buffer.alloc(1 << 24));
  const bomb = Buffer.concat(Array(MAX_LINES_BYTES / (1 << 24) + 1).fill(part));

  await expect(unpackLines(bomb, "the object k")).rejects.toThrow(/^the object k unpacks to more than 268435456 bytes/);
});
