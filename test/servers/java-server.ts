import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { spawnGuarded } from "./guarded-child.ts";
import { jdkTool } from "./java-tools.ts";

/** Four times what the slowest start took on two busy cores. */
const START_TIMEOUT_MS = 90_000;
/** A broker that hands over its partitions takes 1 to 3 s; one without a quorum never finishes. */
const STOP_TIMEOUT_MS = 20_000;
const KEPT_LOG_CHARS = 200_000;

interface JavaServerOptions {
  /** For errors. */
  readonly name: string;
  /** The folder of its jars. */
  readonly jars: string;
  /** Flags of the JVM, main class, arguments. */
  readonly command: readonly string[];
  /** What it logs once it can be used. */
  readonly ready: string;
  /** Removed should this process die before it closes the server. */
  readonly folder: string;
}

/**
 * One process of a server in Java after another, on the same data and ports.
 *
 * - stopped: no process. `start` leads to running once the log says that the server is ready.
 * - running: `kill` (SIGKILL) and `stop` (SIGTERM) lead back to stopped.
 *
 * A process that ends by itself is stopped too; `log` tells why.
 */
export class JavaServer {
  readonly #options: JavaServerOptions;
  #child: ChildProcess | undefined;
  #log = "";
  readonly #logged = new EventEmitter();

  constructor(options: JavaServerOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** What its latest process has written, or the end of it. */
  get log(): string {
    return this.#log;
  }

  /** Runs another program of the same jars to its end. @throws with its log when it fails. */
  async run(command: readonly string[], what: string): Promise<void> {
    if ((await ending(this.#java(command))) !== 0) throw new Error(`${what}:\n${this.#trouble()}`);
  }

  /** @throws with what the log says of it when it does not come up. */
  async start(): Promise<void> {
    if (this.running) return;
    const { name, command, ready } = this.#options;
    const child = this.#java(command);
    const outcome = await Promise.race([this.#untilLogged(ready), ending(child), within(START_TIMEOUT_MS)]);
    if (outcome === "started") return;
    await this.kill();
    throw new Error(`${name} did not start (${outcome}):\n${this.#trouble()}`);
  }

  /** As a power cut: nothing is handed over, nothing is flushed. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** As an orderly restart. A server that cannot finish, as a broker without a quorum, is killed after 20 s. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = ending(child);
    child.kill(signal);
    if ((await Promise.race([ended, within(STOP_TIMEOUT_MS)])) === "too late") child.kill("SIGKILL");
    await ended;
  }

  #java(command: readonly string[]): ChildProcess {
    this.#log = "";
    const { jars, folder } = this.#options;
    const args = ["-Xmx256m", "-XX:+UseSerialGC", "-cp", `${jars}/*`, ...command];
    const child = spawnGuarded(jdkTool("java"), args, { stdio: ["ignore", "pipe", "pipe"] }, folder);
    this.#child = child;
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    const keep = (text: string) => {
      this.#log = (this.#log + text).slice(-KEPT_LOG_CHARS);
      this.#logged.emit("text");
    };
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);
    return child;
  }

  async #untilLogged(line: string): Promise<"started"> {
    while (!this.#log.includes(line)) await once(this.#logged, "text");
    return "started";
  }

  /** From its first error on, as what follows is mostly an orderly shutdown; without one, the end. */
  #trouble(): string {
    const lines = this.#log.split("\n");
    const first = lines.findIndex((line) => /(^| )(ERROR|FATAL) /.test(line));
    return (first === -1 ? lines.slice(-40) : lines.slice(first, first + 40)).join("\n");
  }
}

/** Its exit status, the signal that ended it, or why it never ran. */
async function ending(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? `${child.signalCode}`;
  try {
    const [code, signal] = await once(child, "exit");
    return code ?? signal;
  } catch (thrown) {
    return String(thrown);
  }
}

/** Does not keep the process alive. */
function within(ms: number): Promise<"too late"> {
  return delay(ms, "too late" as const, { ref: false });
}
