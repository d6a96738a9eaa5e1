/**
 * `npm run docs:site`: builds the documents, the API reference and the JSON Schemas into site/, with search. It copies
 * the pages to .cache/site first, because links of the repository are not those of the site.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apiPage } from "./site/api-page.ts";
import { schemaPage } from "./site/schema-page.ts";
import { siteConfig } from "./site/site-config.ts";
import { siteFile, siteText } from "./site/site-files.ts";

const root = path.resolve(import.meta.dirname, "..");
const source = path.join(root, ".cache", "site");
const out = path.join(root, "site");
const titles = new Map<string, string>();

function write(page: string, text: string): void {
  const file = path.join(source, page);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (page.endsWith(".md")) titles.set(page.slice(0, -".md".length), /^# (.*)$/m.exec(text)?.[1] ?? page);
}

function publish(file: string, page: string): void {
  const copy = path.join(source, "public", page);
  mkdirSync(path.dirname(copy), { recursive: true });
  copyFileSync(path.join(root, file), copy);
}

rmSync(source, { recursive: true, force: true });
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
for (const file of files.trim().split("\n")) {
  const page = siteFile(file);
  if (page === undefined) continue;
  const text = readFileSync(path.join(root, file), "utf8");
  if (file.endsWith(".md")) write(page, siteText(file, text));
  else if (file === "openapi.json") {
    write(page, apiPage(text));
    publish(file, file);
  } else if (file.endsWith(".schema.json")) {
    write(page, schemaPage(path.basename(file), text));
    publish(file, `schemas/${path.basename(file)}`);
  } else write(page, text);
}
// Without a file of its own, the build reads the target of the repository, which its esbuild does not know.
write("tsconfig.json", "{}\n");
write(".vitepress/config.mjs", `export default ${JSON.stringify(siteConfig(titles, out), undefined, 2)};\n`);

const vitepress = path.join(root, "node_modules", "vitepress", "bin", "vitepress.js");
const { status } = spawnSync(process.execPath, [vitepress, "build", source], { cwd: root, stdio: "inherit" });
if (status === 0) process.stdout.write(`${titles.size} pages: ${path.join(out, "index.html")}\n`);
process.exitCode = status ?? 1;
