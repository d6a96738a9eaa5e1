import { appendFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { LogTail } from "../../../../src/adapters/files/log-tail.ts";
import { followVerdictLog } from "../../../../src/adapters/files/verdict-log.ts";
import { eventually } from "../../../support/eventually.ts";
import { emptyFolder } from "../../../support/folder.ts";

/** A log with so many lines of 100,000 bytes with their ends, and what reads it along. */
async function logOf(lines: number) {
  const file = path.join(await emptyFolder(), "verdicts.ndjson");
  const line = (n: number) => `${String(n).padStart(99_999, "x")}\n`;
  const text = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i)).join("");
  await writeFile(file, text(0, lines));
  const tail = new LogTail(lines * 100_000);
  const read: number[] = [];
  const reading = (async () => {
    for await (const { offset, line: bytes } of followVerdictLog(file, tail)) {
      expect(bytes.toString()).toBe(line(offset).slice(0, -1));
      read.push(offset);
    }
  })();
  const write = async (to: number) => {
    const from = lines;
    lines = to;
    await appendFile(file, text(from, to));
    tail.grow((to - from) * 100_000);
  };
  return { tail, read, reading, write };
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i);

describe("a log that is read while it is written", () => {
  test("gives the lines that were there and those that come, each once, with their places from 0", async () => {
    const { tail, read, reading, write } = await logOf(4);
    await eventually(
      () => read.length,
      (count) => count >= 2,
      "the lines that were there",
    );

    await write(9);
    await write(10);
    tail.end();
    await reading;

    expect(read).toEqual(upTo(9));
  });

  test("gives what is too little to be waited for once nothing more comes", async () => {
    const { tail, read, reading, write } = await logOf(0);
    await write(1);
    expect(read).toEqual([]);

    tail.end();
    await reading;

    expect(read).toEqual([0]);
  });

  test("gives nothing of a log that stays empty", async () => {
    const { tail, read, reading } = await logOf(0);
    tail.end();
    await reading;

    expect(read).toEqual([]);
  });

  test("ends with the failure of its writer, and never as if that had been all", async () => {
    const { tail, reading, write } = await logOf(1);
    const failure = new Error("stopped");

    tail.fail(failure);
    tail.fail(new Error("another"));
    tail.end();

    await expect(reading).rejects.toBe(failure);
    await write(2);
  });

  test("is an error when it is shorter than what was written", async () => {
    const { tail, reading } = await logOf(1);
    tail.grow(1);
    tail.end();

    await expect(reading).rejects.toThrow("verdicts.ndjson is shorter than what was written to it");
  });

  test("holds a long line in full", async () => {
    const file = path.join(await emptyFolder(), "verdicts.ndjson");
    const long = "x".repeat(5 * 1024 * 1024);
    await writeFile(file, `${long}\n`);
    const tail = new LogTail(long.length + 1);
    tail.end();

    const logged = await Array.fromAsync(followVerdictLog(file, tail));

    expect(logged.map(({ offset, line }) => [offset, line.byteLength])).toEqual([[0, long.length]]);
  });
});
