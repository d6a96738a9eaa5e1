/** `npm run docs`: writes openapi.json, docs/schemas and the README's table of variables from the code. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { printedDocs } from "../src/cli/printed-docs.ts";

const root = path.resolve(import.meta.dirname, "..");
for (const [file, text] of printedDocs(readFileSync(path.join(root, "README.md"), "utf8"))) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  process.stdout.write(`${file}\n`);
}
