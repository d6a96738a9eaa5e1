import { type ChildProcess, spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";

/** An EVM chain of this process alone. */
export interface Anvil {
  /** http, on this machine. */
  readonly url: string;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface AnvilOptions {
  /** Canonical id, decimal. */
  readonly chainId: string;
  readonly clock: Pick<Clock, "sleep">;
}

const START_MS = 20_000;
/** What it says of itself in a failure, characters. */
const MAX_SAID = 300;

/**
 * Starts anvil on a free port, with the accounts of its well-known mnemonic. It makes a block when `evm_mine` tells it to:
 * left to itself it now and then never takes up a transaction that comes while it makes a block of the one before. It ends
 * with this process, however this one ends. A failure says what is missing.
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

/** The binary that comes in the package of this platform, which has Go's name for the processor. */
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

/** The URL that it listens at, or what it said instead. */
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
 * A small shell waits for the end of its standard input, which only this process holds, then ends the child by its id: so
 * even SIGKILL leaves nothing behind. It has a session of its own, which the Ctrl-C of a terminal does not reach.
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
  // Without a shell, as on Windows, the end of this process by itself is what is left.
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  child.once("close", () => {
    process.removeListener("exit", end);
    // The id of a child that has ended may soon be another's.
    guard.kill("SIGKILL");
  });
}
