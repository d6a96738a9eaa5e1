import type { ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { spawnGuarded } from "./guarded-child.ts";
import { jdkTool } from "./java-tools.ts";

/** Four times the slowest start on two busy cores. */
const START_TIMEOUT_MS = 90_000;
/** A broker that hands over its partitions takes 1 to 3 s; one without a quorum never finishes. */
const STOP_TIMEOUT_MS = 20_000;
const KEPT_LOG_CHARS = 200_000;

interface JavaServerOptions {
  /** The name in errors. */
  readonly name: string;
  /** The folder with the server's jars. */
  readonly jars: string;
  /** Flags of the JVM, main class, arguments. */
  readonly command: readonly string[];
  /** The log line after which the server is usable. */
  readonly ready: string;
  /** The folder to remove when this process dies before it closes the server. */
  readonly folder: string;
}

/**
 * Successive processes of a server in Java, on the same data and ports.
 *
 * - stopped: no process. `start` leads to running once the log reports that the server is ready.
 * - running: `kill` (SIGKILL) and `stop` (SIGTERM) lead back to stopped.
 *
 * A process that ends by itself is stopped, too; `log` has the reason.
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

  /** The output of the latest process, or the end of its output. */
  get log(): string {
    return this.#log;
  }

  /** Runs another program of the same jars to its end. @throws with its log when it fails. */
  async run(command: readonly string[], what: string): Promise<void> {
    if ((await ending(this.#java(command))) !== 0) throw new Error(`${what}:\n${this.#trouble()}`);
  }

  /** @throws with the reason in the log when the server does not start. */
  async start(): Promise<void> {
    if (this.running) return;
    const { name, command, ready } = this.#options;
    const child = this.#java(command);
    const outcome = await Promise.race([this.#untilLogged(ready), ending(child), within(START_TIMEOUT_MS)]);
    if (outcome === "started") return;
    await this.kill();
    throw new Error(`${name} did not start (${outcome}):\n${this.#trouble()}`);
  }

  /** Ends the process like a power cut: nothing is handed over, and nothing is flushed. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /**
   * Ends the process as in an orderly restart. A server that cannot finish, such as a broker without a quorum, is
   * killed after 20 s.
   */
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

  /**
   * The log from its first error on, since the later lines are mostly an orderly shutdown; without an error, the end.
   */
  #trouble(): string {
    const lines = this.#log.split("\n");
    const first = lines.findIndex((line) => /(^| )(ERROR|FATAL) /.test(line));
    return (first === -1 ? lines.slice(-40) : lines.slice(first, first + 40)).join("\n");
  }
}

/** The exit status of the child, its signal, or the reason that it never ran. */
async function ending(child: ChildProcess): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? `${child.signalCode}`;
  try {
    const [code, signal] = await once(child, "exit");
    return code ?? signal;
  } catch (thrown) {
    return String(thrown);
  }
}

/** The timer does not keep the process alive. */
function within(ms: number): Promise<"too late"> {
  return delay(ms, "too late" as const, { ref: false });
}
