import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readState, stateFileOf, writeState } from "../../../../src/cli/enqueue/enqueue-state.ts";
import { NOTHING } from "../../../../src/cli/enqueue/enqueue-window.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

const destination = { input: "a.ndjson", topic: "bulk", cluster: "c", topicId: undefined };
const done = { lines: 7, sha256: "h" };

async function stateFile() {
  const folder = await emptyFolder();
  return { folder, file: stateFileOf(path.join(folder, "a.ndjson")) };
}

test("the kept state is found again beside the file, and no other file is left", async () => {
  const { folder, file } = await stateFile();
  expect(await readState(file, destination)).toEqual({ enqueued: NOTHING });

  await writeState(file, destination, { lines: 3, sha256: "g" });
  await writeState(file, destination, done);

  expect(await readState(file, destination)).toEqual({ enqueued: done });
  expect(await readdir(folder)).toEqual(["a.ndjson.enqueued.json"]);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    schema: "weir.enqueued/1",
    input: "a.ndjson",
    topic: "bulk",
    cluster: "c",
    ...done,
  });
});

describe("the topic of sent lines is kept by its id", () => {
  const sentTo = async (topicId: string | undefined) => {
    const { file } = await stateFile();
    await writeState(file, { ...destination, topicId }, done);
    return (found: string | undefined) => readState(file, { ...destination, topicId: found });
  };

  test("and another topic with its name holds none of them", async () => {
    const read = await sentTo("A");
    expect(await read("A")).toEqual({ enqueued: done });
    expect(await read("B")).toEqual({ enqueued: NOTHING, goneId: "A" });
  });

  test("where the id is unknown, by an earlier version or these brokers, the name decides", async () => {
    expect(await (await sentTo(undefined))("B")).toEqual({ enqueued: done });
    expect(await (await sentTo("A"))(undefined)).toEqual({ enqueued: done });
  });
});

describe("a run does not continue", () => {
  test.each([
    [{ input: "b.ndjson" }, "7 lines were enqueued of a.ndjson, not b.ndjson"],
    [{ topic: "live" }, "7 lines were enqueued to bulk, not live"],
    [{ cluster: "d" }, "7 lines were enqueued to another Kafka cluster"],
  ])("with %j", async (other, message) => {
    const { file } = await stateFile();
    await writeState(file, destination, done);

    const reading = readState(file, { ...destination, ...other });
    await expect(reading).rejects.toThrow(`${message} (${file}): put that back, or name another --state`);
    await expect(reading).rejects.toBeInstanceOf(OutputUnwritableError);
  });

  test.each(["", "{}", '{"schema":"weir.enqueued/1"'])("from an unreadable state: %j", async (text) => {
    const { file } = await stateFile();
    await writeFile(file, text);

    await expect(readState(file, destination)).rejects.toThrow("is not what an earlier run left");
  });

  test("where the state cannot be written or read", async () => {
    const file = path.join(await emptyFolder(), "a.ndjson", "x");
    await writeFile(path.dirname(file), "");

    await expect(writeState(file, destination, done)).rejects.toThrow(/^cannot write .*: ENOTDIR.*another --state$/);
    await expect(readState(file, destination)).rejects.toThrow("cannot be read: ENOTDIR");
  });
});
