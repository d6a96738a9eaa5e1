import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/**
 * The packages that load together with `entry`. Packages that are imported for their types only, or on demand, do not
 * count.
 */
function loadedWith(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, clause = "", specifier = ""] of text.matchAll(/^import\s+([^;]*?\bfrom\s+)?"([^"]+)"/gms)) {
      if (/^type\b/.test(clause)) continue;
      if (specifier.startsWith(".")) open.push(path.join(path.dirname(file), specifier));
      else if (!specifier.startsWith("node:")) packages.add(specifier);
    }
  }
  return packages;
}

test("the help loads the descriptions of commands, and nothing that the commands use", () => {
  expect([...loadedWith("src/cli/main.ts")]).toEqual(["commander"]);
});

test("the common start of every command loads the reader of its variables and no more", () => {
  expect([...loadedWith("src/cli/config/docs/env-table.ts")]).toEqual(["zod"]);
});

test("a run over a file loads no client of Kafka, S3 or nodes, and only the used part of undici", () => {
  const loaded = [...loadedWith("src/cli/screen/screen.ts")];

  expect(loaded.toSorted()).toEqual([
    "@scure/base",
    "bottleneck/light.js",
    "csv-parse/sync",
    "hash-wasm",
    "p-queue",
    "pino",
    "undici/lib/api/api-request.js",
    "undici/lib/dispatcher/agent.js",
    "zod",
  ]);
});
