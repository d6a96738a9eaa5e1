#!/usr/bin/env node
import { nodeProblem } from "./node-version.ts";

/**
 * The built package's command. It looks at Node's version before anything else is loaded: on an older one the libraries
 * would fail while they load, with a stack trace that says nothing. So nothing but the check is imported up here.
 */
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  await import("./main.ts");
} else {
  process.stderr.write(`weir: ${problem}\n`);
  process.exitCode = 1;
}
