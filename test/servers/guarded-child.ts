import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/**
 * A child process that cannot outlive this one, however this one ends, SIGKILL included: a small shell waits for the
 * end of its standard input, which only this process holds, then kills the child by its id and removes `folder`.
 * The shell sits in a session of its own, so that the Ctrl-C that ends this process does not end it first.
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
  // The id of a child that has ended may soon be another's.
  child.once("exit", () => guard.kill("SIGKILL"));
  guard.on("error", () => child.kill("SIGKILL"));
  guard.stdin?.on("error", () => undefined);
  guard.unref();
  return child;
}
