// Installs missing dependencies of the project. It runs before every npm script on any Node of the machine (20 or
// later), so it is plain JavaScript without dependencies. All later code runs on the Node 24 that npm installs as an
// optional dependency.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "..");
const stamp = path.join(root, "node_modules", ".weir-setup");
const lock = createHash("sha256")
  .update(readFileSync(path.join(root, "package-lock.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) install();
requireRuntime();

/** No used package needs an install script, and npm below 11 would run install scripts despite .npmrc. */
function install() {
  process.stderr.write("weir: installing packages (once; about half a minute)...\n");
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const { status } = spawnSync(
    command,
    [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
    },
  );
  if (status !== 0) {
    process.stderr.write(
      "weir: the packages could not be installed. Check that npm reaches its registry, then try again.\n",
    );
    process.exit(1);
  }
  writeFileSync(stamp, lock);
}

/** npm puts node_modules/.bin first in the PATH of a script, so this Node is the one that runs it. */
function requireRuntime() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const bundled = ["node", "node.exe"].some((name) => existsSync(path.join(root, "node_modules", ".bin", name)));
  if (bundled || major > 22 || (major === 22 && minor >= 18)) return;
  process.stderr.write(
    `weir: no Node 24 came with the packages for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. ` +
      "Install Node 24 and try again.\n",
  );
  process.exit(1);
}
