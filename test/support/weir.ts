import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { eventually } from "./eventually.ts";
import { ShownSecrets } from "./shown-secrets.ts";

const main = path.resolve(import.meta.dirname, "../../src/cli/main.ts");
/** A shared compile cache: hundreds of starts would each strip the types of the same files. */
const NODE_COMPILE_CACHE = path.join(tmpdir(), "weir-compile-cache");
/** How long a program may take until its next output, on a busy machine. */
const SAYS_MS = 60_000;

export type Env = Readonly<Record<string, string>>;

export interface Ended {
  /** Exit status, or the signal that ended the program. */
  readonly status: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** The output so far. */
  said(): string;
  /**
   * Waits until the output matches, and returns the match. @throws with the output, at once when the program has ended.
   */
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
}

/**
 * The real program as a child process, with its own environment. It ends when the test ends, and the test fails when
 * the program printed one of its secrets. `program` is the main file of another copy.
 */
export function start(args: readonly string[], env: Env = {}, program = main): Running {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TMPDIR: process.env["TMPDIR"],
      NODE_COMPILE_CACHE,
      ...env,
    },
  });
  const secrets = new ShownSecrets(env);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A program that ends before it has read all of its input closes the pipe; its exit status has the result.
  child.stdin.on("error", () => undefined);
  let isOver = false;
  const ended = new Promise<Ended>((resolve) =>
    child.on("close", (code, signal) => {
      isOver = true;
      resolve({ status: code ?? signal, stdout, stderr });
    }),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    expect(secrets.in(said()), `secrets that ${args.join(" ")} has shown`).toEqual([]);
  });
  const said = () => stdout + stderr;
  return {
    child,
    ended,
    said,
    async untilSaid(pattern) {
      const what = `${args.join(" ")} says ${pattern}`;
      const read = () => ({ match: pattern.exec(said()), isOver, said: said() });
      const { match } = await eventually(read, (now) => now.match !== null || now.isOver, what, SAYS_MS);
      if (match === null) throw new Error(`${what}: it ended, and had said ${said()}`);
      return match;
    },
  };
}

/** Runs the program to its end, with `stdin` on its standard input. */
export function run(args: readonly string[], env: Env = {}, stdin: string | Uint8Array = ""): Promise<Ended> {
  const running = start(args, env);
  running.child.stdin.end(stdin);
  return running.ended;
}
