import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Readonly<Record<string, Entry>> };
const entries = Object.entries(lock.packages).filter(([where]) => where !== "");

/**
 * Binaries of linters and of a test chain for some platforms. The registry lacked these packages when the lockfile was
 * completed.
 */
const otherPlatforms = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding|@foundry-rs\/anvil)-/;
/**
 * Binaries of the product for platforms that the registry lacked too. The binary for glibc Linux on x64 has its hash.
 */
const otherSimulators: ReadonlySet<string> = new Set([
  "node_modules/litesvm-darwin-arm64",
  "node_modules/litesvm-darwin-x64",
  "node_modules/litesvm-linux-arm64-gnu",
  "node_modules/litesvm-linux-arm64-musl",
  "node_modules/litesvm-linux-x64-musl",
]);

test("the scan sees the lockfile", () => expect(entries.length).toBeGreaterThan(100));

test("every package has an integrity hash, except binaries of other platforms", () => {
  for (const [where, { integrity, optional, os, cpu }] of entries) {
    if (integrity !== undefined) expect(integrity, where).toMatch(/^sha512-/);
    else {
      const isNamed = otherPlatforms.test(where) || otherSimulators.has(where);
      expect([optional, os?.length, cpu?.length, isNamed], where).toEqual([true, 1, 1, true]);
    }
  }
});

test("no package of the product has an install script, and the scripts of the tools are refused by name", () => {
  const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.filter(([, { dev }]) => dev !== true)).toEqual([]);
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const refused = scripted.map(([where]) => [where.split("node_modules/").at(-1), false]);
  expect(allowScripts).toEqual(Object.fromEntries(refused));
});

test("the lockfile names no registry", () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
