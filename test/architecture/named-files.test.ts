/** A document or a comment that names a file of the tree names one that is there. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Histories: they name files as they were called at the time. */
const HISTORIES = new Set(["bench/results/README.md", "bench/results/proof.md"]);
/** Files of other projects, and names that stand for any file. */
const OTHERS = new Set(["adapter.ts", "my-service.ts", "x.ts"]);
const NAMED = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs))`/g;

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
const documents = files.filter((file) => /\.(md|ts)$/.test(file) && !HISTORIES.has(file));

test("the scan sees names of files", () => {
  expect(documents.flatMap(namesIn).length).toBeGreaterThan(300);
});

test("each named file is there", () => {
  const isThere = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  const missing = documents
    .flatMap((file) => namesIn(file).map((name) => ({ file, name })))
    .filter(({ name }) => !OTHERS.has(path.basename(name)) && !isThere(name.replace(/^(?:\.\.?\/)+/, "")));

  expect(missing).toEqual([]);
});

function namesIn(file: string): readonly string[] {
  return [...readFileSync(file, "utf8").matchAll(NAMED)].map(([, name = ""]) => name);
}
