/**
 * Shows that the simulation finds bugs. It applies each patch of test/simulation/planted-bugs to a separate copy of the
 * sources, and runs the simulation there. Exit status 1 when a bug survives 2,000 seeds and the list of seeds that once
 * failed. `node tools/prove/planted-bugs.ts [name ...]` runs some of them only.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SEEDS = process.env["SEEDS"] ?? "2000";
const root = path.resolve(import.meta.dirname, "../..");
const folder = "test/simulation/planted-bugs";
const wanted = process.argv.slice(2);
const patches = globSync(`${folder}/*.patch`, { cwd: root })
  .map((file) => path.basename(file, ".patch"))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (patches.length === 0) throw new Error("no patch to apply");

let survivors = 0;
for (const name of patches) {
  const copy = mkdtempSync(path.join(tmpdir(), "weir-planted-"));
  for (const part of ["src", "test", "data", "scripts", "tools", "package.json"])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  const apply = spawnSync("git", ["apply", path.join(root, folder, `${name}.patch`)], { cwd: copy, encoding: "utf8" });
  if (apply.status !== 0) throw new Error(`${name} does not apply: ${apply.stderr}`);
  // One process, so that the seeds run in order and their number shows how soon the bug is found.
  const env = { ...process.env, SEEDS, FROM: "1", WORKERS: "1" };
  const run = spawnSync(process.execPath, ["tools/prove/simulate.ts"], { cwd: copy, encoding: "utf8", env });
  const [, seed, why] = /seed (\d+) failed\n\s*(.*)/.exec(run.stdout) ?? [];
  if (run.status === 0 || seed === undefined) {
    survivors++;
    console.log(`${name}: NOT found in ${SEEDS} seeds ${run.status === 0 ? "" : run.stderr.slice(-500)}`);
  } else console.log(`${name}: found by seed ${seed}: ${why}`);
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${patches.length - survivors} of ${patches.length} planted bugs found`);
process.exitCode = survivors === 0 ? 0 : 1;
