import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Readonly<Record<string, Entry>> };
const entries = Object.entries(lock.packages).filter(([where]) => where !== "");

/** Binaries of linters, for platforms whose packages the registry lacked when the lockfile was completed. */
const otherPlatforms = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-/;

test("the scan sees the lockfile", () => expect(entries.length).toBeGreaterThan(100));

test("every package has an integrity hash, but for development binaries of other platforms", () => {
  for (const [where, { integrity, optional, os, cpu }] of entries) {
    if (integrity !== undefined) expect(integrity, where).toMatch(/^sha512-/);
    else expect([optional, os?.length, cpu?.length, otherPlatforms.test(where)], where).toEqual([true, 1, 1, true]);
  }
});

test("no package brings an install script, and none is approved", () => {
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([where]) => where)).toEqual([]);
  expect(JSON.parse(readFileSync("package.json", "utf8")).allowScripts).toEqual({});
});

test("the lockfile names no registry", () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
