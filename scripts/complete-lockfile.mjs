// Adds to package-lock.json the optional packages of other platforms that the registry in use lacks. npm leaves them
// out when it cannot fetch them, and `npm ci` then refuses the lockfile on every platform. They are never installed
// where os, cpu or libc do not fit, so name, version and platform are enough. The integrity hash is requested from the
// registry for every entry without one. Packages that this registry lacks are printed and stay without a hash, for a
// run with another registry. Any other failure writes nothing. Run after `npm install`.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const file = path.join(import.meta.dirname ?? ".", "..", "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const known = {
  os: ["android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32", "aix"],
  cpu: ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"],
};

let added = 0;
for (const [where, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = where === "" ? "" : `${where}/node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[nested] !== undefined || lock.packages[hoisted] !== undefined) continue;
    lock.packages[hoisted] = { version, ...platformOf(name), optional: true };
    added++;
  }
}
const without = [];
let hashed = 0;
for (const [where, entry] of Object.entries(lock.packages)) {
  if (where === "" || entry.integrity !== undefined) continue;
  const spec = `${where.split("node_modules/").at(-1)}@${entry.version}`;
  const integrity = integrityOf(spec);
  if (integrity === undefined) {
    without.push(spec);
  } else {
    const { version, ...rest } = entry;
    lock.packages[where] = { version, integrity, ...rest };
    hashed++;
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
process.stdout.write(`${added} packages of other platforms added, ${hashed} integrity hashes filled in\n`);
if (without.length > 0) {
  process.stdout.write(`${without.length} stay without, because this registry does not carry them:\n`);
  for (const spec of without) process.stdout.write(`  ${spec}\n`);
}

/** The hash of a package's bytes from the registry; undefined when the registry reports that it lacks the package. */
function integrityOf(spec) {
  const { status, stdout } = spawnSync("npm", ["view", spec, "dist.integrity", "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const answer = JSON.parse(stdout || "null");
  if (status === 0 && /^sha512-[A-Za-z0-9+/]{86}==$/.test(answer)) return answer;
  if (answer?.error?.code === "E404") return undefined;
  throw new Error(
    `${spec}: the registry gives no integrity hash: ${answer?.error?.summary ?? `npm ended with ${status}`}`,
  );
}

/**
 * The platform at the end of a package's name, such as binding-linux-x64-musl. Some names use Go's names of platforms.
 */
function platformOf(name) {
  const words = name.split(/[/-]/).map((word) => ({ amd64: "x64" })[word] ?? word);
  const os = known.os.filter((each) => words.includes(each));
  const cpu = known.cpu.filter((each) => words.includes(each)).slice(0, 1);
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`cannot tell the platform of ${name}`);
  const libc = words.some((word) => word.startsWith("musl")) ? { libc: ["musl"] } : {};
  return { cpu, os, ...libc };
}
