import { execFile } from "node:child_process";
import { access, constants, cp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { verdictsIn } from "../support/verdicts.ts";

const root = path.resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));

async function run(command: string, args: readonly string[]) {
  const env = { PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"]}` };
  const running = promisify(execFile)(command, args, { env });
  const failed = (thrown: unknown) => thrown as { stdout: string; stderr: string };
  const { stdout, stderr } = await running.catch(failed);
  return { status: running.child.exitCode, stdout, stderr };
}

/** The files that the package ships, in a separate folder beside the libraries, with the package's command. */
async function builtPackage(): Promise<{ readonly folder: string; readonly command: string }> {
  const folder = await emptyFolder();
  await run(process.execPath, [path.join(root, "scripts", "build.mjs"), path.join(folder, "dist")]);
  for (const file of ["package.json", ...manifest.files]) {
    if (file !== "dist") await cp(path.join(root, file), path.join(folder, file), { recursive: true });
  }
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return { folder, command: path.join(folder, manifest.bin.weir) };
}

test("the built command is executable, and screens the demo with only the package's files", async () => {
  const { folder, command } = await builtPackage();
  const out = path.join(folder, "out");

  await access(command, constants.X_OK);
  const version = await run(command, ["--version"]);
  const demo = await run(command, ["demo", "--out", out]);

  expect(version).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect([demo.status, demo.stderr]).toEqual([0, ""]);
  const verdicts = await verdictsIn(out);
  expect(verdicts.length).toBeGreaterThan(30);
  // The simulator's threads start from a separate file, which must be among the built files.
  const simulations = verdicts.flatMap(({ checks }) => checks.filter(({ check }) => check === "solana-simulation"));
  const codes = simulations.flatMap((each) =>
    each.outcome === "ok" ? [Object(each.data)["exec_summary"].result_code] : [],
  );
  expect(codes).toContain("000000000");
});

test("the built command reports an old Node in one line, and loads nothing", async () => {
  const { folder, command } = await builtPackage();
  const older = path.join(folder, "older.mjs");
  await writeFile(older, 'Object.defineProperty(process, "versions", { value: { node: "20.20.2" } });\n');
  await writeFile(path.join(folder, "dist", "cli", "main.js"), 'throw new Error("loaded");\n');

  const { status, stdout, stderr } = await run(process.execPath, ["--import", older, command, "demo"]);

  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^weir: needs Node 22\.18 or later \(24 recommended\), this is 20\.20\.2: .*\n$/);
});

test("the package ships the files that its command reads and its licences require", async () => {
  expect(manifest.files).toEqual(expect.arrayContaining(["dist", "data", "demo", "NOTICE"]));
  for (const file of manifest.files) if (file !== "dist") await access(path.join(root, file));
});
