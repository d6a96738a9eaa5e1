#!/usr/bin/env node
import module from "node:module";
import path from "node:path";
import { nodeProblem } from "./config/node-version.ts";
import { giveLifeSigns } from "./serve/life-signs.ts";

/**
 * What Node compiles is kept here for the next start, of which compiling is a third; not in a folder for temporary files,
 * where others could leave something to be run. A package that is installed for all users cannot be written to, and starts
 * as it did.
 */
const COMPILED = path.resolve(import.meta.dirname, "..", "..", ".cache", "compiled");
/**
 * The engine refuses what was compiled under other flags, and a run sets one while it loads (`holdYoungBack`). In one
 * folder, a run and the other commands would each compile anew after the other.
 */
const COMPILED_HERE = path.join(COMPILED, process.argv[2] === "screen" ? "screen" : "others");

/**
 * The built package's command. It looks at Node's version before anything else is loaded: on an older one the libraries
 * would fail while they load, with a stack trace that says nothing. So nothing is imported up here but that check,
 * signs of life, and what Node itself has.
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
