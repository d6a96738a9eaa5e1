import { type ChildProcess, spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";

/** A local EVM chain for this process alone. */
export interface Anvil {
  /** An http URL on this machine. */
  readonly url: string;
  /** Resolves when the child process has ended. */
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** Canonical chain id, decimal. */
  readonly chainId: string;
  readonly clock: Pick<Clock, "sleep">;
}

const START_MS = 20_000;
/** Longest piece of anvil's own output in the message of a failure, characters. */
const MAX_SAID = 300;

/**
 * Starts anvil on a free port, with the accounts of its well-known mnemonic. Anvil makes a block only when `evm_mine`
 * asks for a block. With automatic mining, anvil sometimes never includes a transaction that arrives while the previous
 * block is made. Anvil ends with this process, however this process ends. A failure names what is missing.
 */
export async function startAnvil({ chainId, clock }: AnvilOptions): Promise<Result<Anvil>> {
  const binary = await findBinary();
  if (!binary.ok) return binary;
  const args = ["--port", "0", "--host", "127.0.0.1", "--chain-id", chainId, "--no-mining"];
  const child = spawn(binary.value, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  endWithThisProcess(child);
  const listening = await untilListening(child, clock);
  if (listening.ok) return ok({ url: listening.value, stop });
  if (child.pid !== undefined) await stop();
  return listening;
}

/** The anvil binary in the package for this platform. The package names processors as Go does. */
async function findBinary(): Promise<Result<string>> {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const name = `@foundry-rs/anvil-${platform}`;
  const program = process.platform === "win32" ? "anvil.exe" : "anvil";
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = path.join(path.dirname(manifest), "bin", program);
    await access(file, constants.X_OK);
    return ok(file);
  } catch (thrown) {
    const isInstalled = Object(thrown).code !== "MODULE_NOT_FOUND";
    return fail(
      isInstalled
        ? `${name} is installed, but its program cannot be run: ${toError(thrown).message}`
        : `the package ${name} is not installed: run npm ci in a checkout, which brings it for Linux, macOS and Windows on x64 and for Linux and macOS on arm64`,
    );
  }
}

/** The URL that anvil listens at, or the output of anvil in place of a URL. */
async function untilListening(child: ChildProcess, clock: Pick<Clock, "sleep">): Promise<Result<string>> {
  const { promise, resolve } = Promise.withResolvers<Result<string>>();
  let said = "";
  const hear = (text: string) => {
    said = (said + text).slice(-10_000);
    const address = /Listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1];
    if (address !== undefined) resolve(ok(`http://${address}`));
  };
  child.stdout?.setEncoding("utf8").on("data", hear);
  child.stderr?.setEncoding("utf8").on("data", hear);
  const words = () => said.trim().slice(-MAX_SAID).replace(/\s+/g, " ") || "it said nothing";
  child.once("error", (error) => resolve(fail(`anvil cannot be run: ${error.message}`)));
  child.once("close", (code, signal) => resolve(fail(`anvil ended (${signal ?? `status ${code}`}): ${words()}`)));
  const settled = new AbortController();
  const late = clock.sleep(START_MS, settled.signal).then(
    () => fail(`anvil did not listen within ${START_MS / 1_000} s: ${words()}`),
    () => promise,
  );
  const first = await Promise.race([promise, late]);
  settled.abort();
  return first;
}

/**
 * A small shell ends the child by its process id once the standard input of the shell closes. Only this process holds
 * that input open, so even SIGKILL leaves no child behind. The shell has its own session, so a Ctrl-C in the terminal
 * does not reach the shell.
 */
function endWithThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const guard = spawn("sh", ["-c", 'read -r _; kill -9 "$1"', "guard", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell, as on Windows, only the normal end of this process ends the child.
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  child.once("close", () => {
    process.removeListener("exit", end);
    // The operating system may soon give the id of an ended child to another process.
    guard.kill("SIGKILL");
  });
}
