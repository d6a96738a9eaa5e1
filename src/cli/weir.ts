#!/usr/bin/env node
import module from "node:module";
import path from "node:path";
import { nodeProblem } from "./config/node-version.ts";
import { giveLifeSigns } from "./serve/life-signs.ts";

/**
 * Cache of compiled code: a third of a start is compilation. It is not in a folder for temporary files, where other
 * users could place code. A package that is installed for all users is read-only, and starts without the cache.
 */
const COMPILED = path.resolve(import.meta.dirname, "..", "..", ".cache", "compiled");
/**
 * The engine rejects code that was compiled under other flags, and a run sets a flag while it loads (`holdYoungBack`).
 * In one shared folder, a run and the other commands would compile again in turns.
 */
const COMPILED_HERE = path.join(COMPILED, process.argv[2] === "screen" ? "screen" : "others");

/**
 * The command of the built package. It checks Node's version before it loads anything else. On an older version the
 * libraries would fail to load, with a meaningless stack trace. So this file imports only the check, the start
 * messages, and modules of Node itself.
 */
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  if (process.argv[2] === "serve") giveLifeSigns();
  module.enableCompileCache(COMPILED_HERE);
  await import("./main.ts");
} else {
  process.stderr.write(`weir: ${problem}\n`);
  process.exitCode = 1;
}
