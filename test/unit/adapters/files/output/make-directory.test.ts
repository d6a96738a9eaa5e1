import { existsSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeDirectory } from "../../../../../src/adapters/files/output/make-directory.ts";
import { emptyFolder } from "../../../../support/folder.ts";

test("a directory is made with its missing parents, and a second call succeeds", async () => {
  const directory = path.join(await emptyFolder(), "a", "b", "c");

  await makeDirectory(directory);
  await makeDirectory(directory);

  expect(statSync(directory).isDirectory()).toBe(true);
});

test("a file at the path, or above it, is an error", async () => {
  const file = path.join(await emptyFolder(), "taken");
  writeFileSync(file, "");

  await expect(makeDirectory(file)).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeDirectory(path.join(file, "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("a file system that refuses new entries with ENOENT is an error, not an endless loop", async () => {
  const refusing = existsSync("/proc/self")
    ? "/proc/weir-cannot-be-here"
    : path.join(path.parse(process.cwd()).root, "\0");

  await expect(makeDirectory(refusing)).rejects.toThrow();
});
