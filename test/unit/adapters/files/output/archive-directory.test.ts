import { access, link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ArchiveDirectory } from "../../../../../src/adapters/files/output/archive-directory.ts";
import type { Position } from "../../../../../src/archive/object.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import { archiveStoreSuite, objectAt, putObject } from "../../../../ports/archive-store-suite.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const start: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
const object = objectAt(start, 2);
const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

/** Offset of the last archived verdict. */
const endOf = async (archive: ArchiveDirectory) =>
  (await Array.fromAsync(archive.objects("verdicts", 0))).at(-1)?.metadata.end;

archiveStoreSuite("a directory", async () => new ArchiveDirectory(path.join(await emptyFolder(), "archive")));

test("an object is a gzip of its lines, with its metadata beside it and no other file", async () => {
  const root = await emptyFolder();

  await putObject(new ArchiveDirectory(root), object);

  const name = "v1/verdicts/dt=2026-01-02/p=00000/00000000000000000000";
  expect(await filesBelow(root)).toEqual([`${name}.meta.json`, `${name}.ndjson.gz`]);
  expect(gunzipSync(await readFile(path.join(root, `${name}.ndjson.gz`)))).toEqual(object.lines);
  expect(JSON.parse(await readFile(path.join(root, `${name}.meta.json`), "utf8"))).toEqual(object.metadata);
});

test("an equal object that is put again gives the same two files, byte by byte", async () => {
  const [root, other] = [await emptyFolder(), await emptyFolder()];
  const read = async (folder: string) =>
    Promise.all((await filesBelow(folder)).map((file) => readFile(path.join(folder, file))));
  await putObject(new ArchiveDirectory(root), object);
  const before = await read(root);

  await putObject(new ArchiveDirectory(root), object);
  await putObject(new ArchiveDirectory(other), objectAt(start, 2));

  expect(await read(root)).toEqual(before);
  expect(await read(other)).toEqual(before);
});

test("a folder with the name of an object is an ordinary folder", async () => {
  const root = path.join(await emptyFolder(), "events.ndjson.gz.out");
  const archive = new ArchiveDirectory(root);

  await putObject(archive, object);

  expect(await endOf(archive)).toBe(1);
});

describe("an existing object is never overwritten", () => {
  test("other bytes under the same key are refused, and the first bytes stay", async () => {
    const root = await emptyFolder();
    const archive = new ArchiveDirectory(root);
    await putObject(archive, object);

    const conflict = putObject(archive, objectAt(start, 3));

    await expect(conflict).rejects.toBeInstanceOf(OutputUnwritableError);
    await expect(conflict).rejects.toThrow(/^cannot archive to .*ndjson\.gz: EEXIST/);
    expect(gunzipSync(await readFile(path.join(root, object.key)))).toEqual(object.lines);
    expect(await filesBelow(root)).toHaveLength(2);
  });

  test("an object without metadata, from a killed run, does not exist yet, and is put in full", async () => {
    const root = await emptyFolder();
    const archive = new ArchiveDirectory(root);
    await putObject(archive, object);
    await rm(path.join(root, object.key.replace(".ndjson.gz", ".meta.json")));

    const before = await endOf(archive);
    const grown = objectAt(start, 3);
    await putObject(archive, grown);

    expect(before).toBeUndefined();
    expect(gunzipSync(await readFile(path.join(root, object.key)))).toEqual(grown.lines);
    expect(await endOf(archive)).toBe(2);
  });

  test("a complete object of a killed run that lacks its metadata is finished as that object", async () => {
    const root = await emptyFolder();
    await putObject(new ArchiveDirectory(root), object);
    await rm(path.join(root, object.key.replace(".ndjson.gz", ".meta.json")));

    await putObject(new ArchiveDirectory(root), object);

    expect(await endOf(new ArchiveDirectory(root))).toBe(1);
    expect(await filesBelow(root)).toHaveLength(2);
  });

  test("an object stays unchanged when its run was killed before the temporary names were removed", async () => {
    const root = await emptyFolder();
    const archive = new ArchiveDirectory(root);
    await putObject(archive, object);
    const file = path.join(root, object.key);
    for (const each of [file, file.replace(".ndjson.gz", ".meta.json")]) await link(each, `${each}.tmp`);

    const conflict = putObject(archive, objectAt(start, 3));

    await expect(conflict).rejects.toThrow(/^cannot archive to .*ndjson\.gz: EEXIST/);
    expect(gunzipSync(await readFile(file))).toEqual(object.lines);
    expect(await endOf(archive)).toBe(1);
    expect(await filesBelow(root)).toHaveLength(2);
  });

  test("a partial file of a killed run does not block a new run", async () => {
    const root = await emptyFolder();
    const archive = new ArchiveDirectory(root);
    await mkdir(path.dirname(path.join(root, object.key)), { recursive: true });
    await writeFile(`${path.join(root, object.key)}.tmp`, "torn and longer than what is written now".repeat(100));
    await writeFile(`${path.join(root, object.key)}.1.tmp`, "torn");

    await putObject(archive, object);

    expect(await endOf(archive)).toBe(1);
    expect(gunzipSync(await readFile(path.join(root, object.key)))).toEqual(object.lines);
    await expect(access(`${path.join(root, object.key)}.tmp`)).rejects.toThrow("ENOENT");
  });
});

test("a root that cannot be written is reported with the file's name", async () => {
  const root = path.join(await emptyFolder(), "a-file");
  await writeFile(root, "");

  const archive = new ArchiveDirectory(root);

  await expect(putObject(archive, object)).rejects.toBeInstanceOf(OutputUnwritableError);
  await expect(putObject(archive, object)).rejects.toThrow(/^cannot archive to .*a-file.*: ENOTDIR/);
  await expect(endOf(archive)).rejects.toThrow(/^cannot read the archive in .*a-file: ENOTDIR/);
});

test.each(["{torn", "null", "[]", '{"start":0,"end":1}', '{"start":0,"end":"1","sha256":"","previous_sha256":""}'])(
  "unreadable metadata is reported with the file's name: %s",
  async (text) => {
    const root = await emptyFolder();
    const archive = new ArchiveDirectory(root);
    await putObject(archive, object);
    await writeFile(path.join(root, object.key.replace(".ndjson.gz", ".meta.json")), text);

    await expect(endOf(archive)).rejects.toBeInstanceOf(OutputUnwritableError);
    await expect(endOf(archive)).rejects.toThrow(
      /^cannot read the archive's .*00\.meta\.json: .*: choose another --out$/,
    );
  },
);
