import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ArchiveDirectory } from "../../../../../src/adapters/files/output/archive-directory.ts";
import { ArchivedObjects } from "../../../../../src/adapters/files/output/archived-objects.ts";
import { type ArchiveObject, after } from "../../../../../src/archive/object.ts";
import { ObjectUnreadableError, StoreUnavailableError } from "../../../../../src/archive/object-store.ts";
import { objectAt, putObject } from "../../../../ports/archive-store-suite.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const { signal } = new AbortController();
const start = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };

/** Two objects as a run archives them, with the later one under the earlier date. */
async function archived() {
  const root = path.join(await emptyFolder(), "archive");
  const first = objectAt(start, 2, "2026-01-02");
  const second = objectAt(after(first), 3, "2026-01-01");
  const directory = new ArchiveDirectory(root);
  for (const object of [first, second]) await putObject(directory, object);
  const fileOf = ({ key }: ArchiveObject) => path.join(root, key);
  const metadataOf = (object: ArchiveObject) => fileOf(object).replace(".ndjson.gz", ".meta.json");
  return { root, store: new ArchivedObjects(root), first, second, fileOf, metadataOf };
}

const keysBelow = async (store: ArchivedObjects, prefix = "v1/verdicts/") =>
  (await Array.fromAsync(store.list(prefix, signal))).map(({ key }) => key);

test("archived objects are listed in the order of keys, and read back unchanged", async () => {
  const { store, first, second } = await archived();

  expect(await keysBelow(store)).toEqual([second.key, first.key]);
  expect(await keysBelow(store, "v1/verdicts/dt=2026-01-02/p=00000/")).toEqual([first.key]);
  for (const { key, metadata, lines } of [first, second]) {
    expect(await store.head(key)).toEqual({ key, metadata });
    expect(await store.lines(key)).toEqual(lines);
  }
});

test("keys are sorted as texts, for folders and files alike", async () => {
  const root = await emptyFolder();
  const names = ["v1/a-b/x", "v1/a/x", "v1/a.x", "v1/ab"];
  for (const name of names) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), "");
  }

  expect(await keysBelow(new ArchivedObjects(root), "v1/")).toEqual([...names].sort());
});

test("an absent archive lists no objects", async () => {
  expect(await keysBelow(new ArchivedObjects(path.join(await emptyFolder(), "archive")))).toEqual([]);
});

test("other files are listed, and unfinished files of a killed run are not", async () => {
  const { root, store, first, second, fileOf } = await archived();
  await writeFile(path.join(root, "v1/verdicts/alien.txt"), "");
  await writeFile(`${fileOf(first)}.4711.tmp`, "");

  expect(await keysBelow(store)).toEqual(["v1/verdicts/alien.txt", second.key, first.key].sort());
});

test("an object that was removed is listed by its metadata, and reads as absent", async () => {
  const { store, first, second, fileOf } = await archived();
  await rm(fileOf(first));

  expect(await keysBelow(store)).toEqual([second.key, first.key]);
  expect(await store.head(first.key)).toBeUndefined();
  expect(await store.lines(first.key)).toBeUndefined();
});

test("an object without its metadata cannot be read", async () => {
  const { store, first, second, metadataOf } = await archived();
  await rm(metadataOf(first));

  expect(await keysBelow(store)).toEqual([second.key, first.key]);
  await expect(store.head(first.key)).rejects.toThrow(
    new ObjectUnreadableError(
      `${metadataOf(first)} is missing: a run that was killed writes the file when the run continues; otherwise the file was removed`,
    ),
  );
});

test.each<[string, (text: string) => string]>([
  ["no JSON", () => "{"],
  ["null", () => "null"],
  ["a start of text", (text) => text.replace('"start": 0', '"start": "0"')],
  ["an end below zero", (text) => text.replace('"end": 1', '"end": -1')],
  ["half a hash", (text) => text.replace(/"sha256": "[0-9a-f]{32}/, '"sha256": "')],
  ["no count", (text) => text.replace('"count": 2,', "")],
  ["an empty topic", (text) => text.replace('"verdicts"', '""')],
])("metadata that no archiver writes is refused: %s", async (_what, change) => {
  const { store, first, metadataOf } = await archived();
  const before = await readFile(metadataOf(first), "utf8");
  const changed = change(before);
  expect(changed).not.toBe(before);
  await writeFile(metadataOf(first), changed);

  await expect(store.head(first.key)).rejects.toThrow(
    new ObjectUnreadableError(`${metadataOf(first)} is not what an archiver writes`),
  );
});

test.each([
  ["no gzip", Buffer.from("{}"), "is damaged, or no gzip"],
  ["gzip that was cut off", gzipSync("a\n".repeat(1_000)).subarray(0, 20), "is cut short"],
])("lines that are %s cannot be read", async (_what, bytes, why) => {
  const { store, first, fileOf } = await archived();
  await writeFile(fileOf(first), bytes);

  await expect(store.lines(first.key)).rejects.toThrow(`${fileOf(first)} ${why}`);
});

test("a lack of permission is not reported as damage", async () => {
  const { root, store, first } = await archived();
  await rm(path.join(root, "v1/verdicts"), { recursive: true });
  await writeFile(path.join(root, "v1/verdicts"), "");

  await expect(store.head(first.key)).rejects.toBeInstanceOf(StoreUnavailableError);
});

test("a text beside the objects reads unchanged, and an unreadable one is reported", async () => {
  const { root, store } = await archived();
  await mkdir(path.join(root, "lists/folder.json"), { recursive: true });
  await writeFile(path.join(root, "lists/a.json"), "{}\n");

  expect(await store.text("lists/a.json")).toBe("{}\n");
  expect(await store.text("lists/b.json")).toBeUndefined();
  await expect(store.text("lists/folder.json")).rejects.toThrow(ObjectUnreadableError);
  await expect(store.text("lists/folder.json")).rejects.toThrow(/cannot read .*folder\.json: /);
});
