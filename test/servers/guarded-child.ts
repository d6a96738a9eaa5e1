import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/**
 * A child process that ends with this process, however this process ends, SIGKILL included. A small shell waits for the
 * end of its standard input, which only this process holds open. Then it kills the child by its process id and removes
 * `folder`. The shell has its own session, so a Ctrl-C for this process does not end it first.
 */
export function spawnGuarded(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  folder: string,
): ChildProcess {
  const child = spawn(command, args, options);
  if (child.pid === undefined) return child;
  const guard = spawn("sh", ["-c", 'read -r _; kill -9 "$1"; rm -rf -- "$2"', "guard", `${child.pid}`, folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // The operating system may soon give the id of an ended child to another process.
  child.once("exit", () => guard.kill("SIGKILL"));
  guard.on("error", () => child.kill("SIGKILL"));
  guard.stdin?.on("error", () => undefined);
  guard.unref();
  return child;
}
