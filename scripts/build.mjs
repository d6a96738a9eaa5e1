// Compiles src into dist, or into DIR: `node scripts/build.mjs [DIR]`. The output of an earlier build in dist is
// removed first, so that no file without its source is shipped. The command gets its execute bit, which tsc does not
// set.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");
const [out = dist] = process.argv.slice(2);
if (out === dist) rmSync(dist, { recursive: true, force: true });

const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
const args = [tsc, "-p", path.join(root, "tsconfig.build.json"), "--outDir", out];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
if (status === 0) chmodSync(path.join(out, "cli", "weir.js"), 0o755);
if (status === 0) process.stdout.write("built: node_modules/.bin/node dist/cli/weir.js --help\n");
process.exitCode = status ?? 1;
