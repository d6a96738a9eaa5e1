import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { followedBytes, LogTail } from "../../../../../src/adapters/files/input/log-tail.ts";
import { eventually } from "../../../../support/eventually.ts";
import { emptyFolder } from "../../../../support/folder.ts";

/** A log with the given number of lines, 400,000 bytes each with their ends, and its reader. */
async function logOf(lines: number) {
  const file = path.join(await emptyFolder(), "verdicts.ndjson");
  const line = (n: number) => `${String(n).padStart(399_999, "x")}\n`;
  const text = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i)).join("");
  await writeFile(file, text(0, lines));
  const tail = new LogTail(lines * 400_000);
  /** All bytes that were read. */
  const read = { file, bytes: Buffer.alloc(0) };
  const reading = (async () => {
    for await (const chunk of followedBytes(file, tail)) {
      read.bytes = Buffer.concat([read.bytes, chunk]);
      // A chunk is valid only until this point.
      chunk.fill("-");
    }
  })();
  const isAsWritten = (upTo: number) => read.bytes.equals(Buffer.from(text(0, upTo)));
  const write = async (to: number) => {
    const from = lines;
    lines = to;
    await appendFile(file, text(from, to));
    tail.grow((to - from) * 400_000);
  };
  return { tail, read, reading, write, isAsWritten };
}

describe("a log that is read while it is written", () => {
  test("returns the existing bytes and the later ones, each once", async () => {
    const { tail, read, reading, write, isAsWritten } = await logOf(4);
    await eventually(
      () => read.bytes.length,
      (bytes) => bytes === 1_600_000,
      "the bytes that were there",
    );

    await write(9);
    await write(10);
    tail.end();
    await reading;

    expect(isAsWritten(10)).toBe(true);
  });

  test("keeps a chunk valid while the next one is read", async () => {
    const file = path.join(await emptyFolder(), "verdicts.ndjson");
    const text = Array.from({ length: 6 }, (_, i) => String(i).repeat(1 << 21)).join("");
    await writeFile(file, text);
    const tail = new LogTail(text.length);
    tail.end();
    let read = "";
    for await (const chunk of followedBytes(file, tail)) {
      const before = chunk.toString();
      await delay(5);
      expect(chunk.equals(Buffer.from(before))).toBe(true);
      read += before;
    }

    expect(read === text).toBe(true);
  });

  test("can be closed while it waits for more", async () => {
    const { tail, read } = await logOf(6);
    const chunks = followedBytes(read.file, tail);
    expect((await chunks.next()).value).toHaveLength(1 << 21);

    await chunks.return(undefined);
    tail.end();
  });

  test("returns a small rest at the end of the log", async () => {
    const { tail, read, reading, write, isAsWritten } = await logOf(0);
    await write(1);
    expect(read.bytes).toHaveLength(0);

    tail.end();
    await reading;

    expect(isAsWritten(1)).toBe(true);
  });

  test("returns nothing for a log that stays empty", async () => {
    const { tail, read, reading } = await logOf(0);
    tail.end();
    await reading;

    expect(read.bytes).toHaveLength(0);
  });

  test("ends with the failure of its writer, and not as if the log were complete", async () => {
    const { tail, reading, write } = await logOf(1);
    const failure = new Error("stopped");

    tail.fail(failure);
    tail.fail(new Error("another"));
    tail.end();

    await expect(reading).rejects.toBe(failure);
    await write(2);
  });

  test("fails when the file is shorter than the reported length", async () => {
    const { tail, reading } = await logOf(1);
    tail.grow(1);
    tail.end();

    await expect(reading).rejects.toThrow("verdicts.ndjson is shorter than what was written to it");
  });
});
