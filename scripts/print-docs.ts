/**
 * `npm run docs`: writes openapi.json, docs/schemas, docs/configuration.md, the tables of docs/verdicts.md, the example of an
 * environment file and Grafana's dashboard from the code.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { printedDocs } from "../src/cli/config/docs/printed-docs.ts";
import { dashboardFile, printedDashboard } from "./dashboard.ts";

const root = path.resolve(import.meta.dirname, "..");
const docs = new Map(printedDocs((file) => readFileSync(path.join(root, file), "utf8")));
docs.set(dashboardFile, printedDashboard());
for (const [file, text] of docs) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
  process.stdout.write(`${file}\n`);
}
