import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { z } from "zod";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Secret } from "../../kernel/secret.ts";
import type { Environment } from "../config/config.ts";
import { STARTING } from "../serve/life-signs.ts";

/** The message of `weir serve` to its parent process once it listens. */
export const ListeningMessage = z.object({ listening: z.url() });
/** The message of `weir serve` until it listens. */
const Starting = z.object({ starting: z.literal(STARTING.starting) });

interface StartBounds {
  readonly command: string;
  readonly silentMs: number;
  readonly startMs: number;
}

export interface RunningService {
  readonly url: string;
  readonly apiKey: Secret;
  /** Resolves when the child has ended, with its exit status or signal. */
  readonly ended: Promise<string>;
  /** Resolves when the child has ended. */
  stop(): Promise<void>;
}

/** Longest silence of a child before it listens, milliseconds. A child sends a message each second. */
const SILENT_MS = 20_000;
/** Longest total time before a child listens, milliseconds. Chosen: far more than the start takes on a busy machine. */
const START_MS = 600_000;
/** Interval of the checks for these limits. */
const LOOK_MS = 500;
/** Extra time for messages that arrived while this process was busy or stopped, milliseconds. */
const UNHEARD_MS = 1_000;
const STOP_DEADLINE_MS = 5_000;

/** The environment of the run's own service, without its key. */
export function embeddedEnvironment(env: Environment): Environment {
  return {
    ...env,
    HOST: "127.0.0.1",
    PORT: "0",
    SERVICE_API_KEYS_FILE: "",
    SERVICE_RATE_LIMIT: "",
    ADMIN_PORT: "",
    // The run itself screens events with its lists.
    LISTS_FILES: "",
    LOG_LEVEL: env["LOG_LEVEL"] ?? "warn",
  };
}

/**
 * Starts `weir serve` as a child process on a free loopback port. The child has a secret key of its own, and no quota.
 * The child ends with this process, however this process ends: it watches the channel between them.
 *
 * @param own another command that listens, its longest silence until then, and its longest total time.
 * @throws {ConfigInvalidError} with the child's own words when it does not start. @throws `signal.reason` as soon as it
 * aborts before that: a stop does not wait for a child that still loads.
 */
export async function startEmbeddedService(
  env: Environment,
  signal: AbortSignal,
  { command = commandFile(), silentMs = SILENT_MS, startMs = START_MS }: Partial<StartBounds> = {},
): Promise<RunningService> {
  signal.throwIfAborted();
  const apiKey = new Secret(randomBytes(24).toString("base64url"));
  const child = spawn(process.execPath, [command, "serve"], {
    env: { ...embeddedEnvironment(env), SERVICE_API_KEYS: apiKey.reveal() },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  let isListening = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      // Until the child listens, its output is the reason of its failure. This process prints it once, in its own
      // error.
      if (isListening) process.stderr.write(text);
      else said = (said + text).slice(-4_000);
    });
  }
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `status ${code}`));
    child.once("error", () => child.pid === undefined && resolve("not started"));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_DEADLINE_MS);
    await ended;
    clearTimeout(timer);
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begunAt = performance.now();
  let heardAt = begunAt;
  child.on("message", (message) => {
    heardAt = performance.now();
    if (isListening || Starting.safeParse(message).success) return;
    const parsed = ListeningMessage.safeParse(message);
    if (parsed.success) {
      isListening = true;
      process.stderr.write(said);
      resolve(parsed.data.listening);
    } else reject(new ConfigInvalidError("the embedded service sent an unexpected message"));
  });
  child.once("error", (error) => reject(new ConfigInvalidError(`the embedded service cannot start: ${error.message}`)));
  child.once("exit", (code) =>
    reject(new ConfigInvalidError(`the embedded service ended with status ${code}: ${said.trim()}`)),
  );
  const unwatch = watchStart(() => {
    const now = performance.now();
    if (now - heardAt >= silentMs) return silentFor(silentMs);
    return now - begunAt >= startMs ? startingFor(startMs, said) : undefined;
  }, reject);
  const abandon = () => reject(signal.reason);
  signal.addEventListener("abort", abandon, { once: true });
  try {
    return { url: await promise, apiKey, ended, stop };
  } catch (thrown) {
    // A child that does not listen yet has no work to finish.
    child.kill("SIGKILL");
    await ended;
    throw thrown;
  } finally {
    unwatch();
    signal.removeEventListener("abort", abandon);
  }
}

/**
 * @param late the reason to end the wait for the start, if any. @param giveUp receives the reason when it still holds a
 * moment later. @returns the function that ends the watch.
 */
function watchStart(late: () => ConfigInvalidError | undefined, giveUp: (why: ConfigInvalidError) => void): () => void {
  let wasLate = false;
  const look = () => {
    const why = late();
    if (why !== undefined && wasLate) return giveUp(why);
    wasLate = why !== undefined;
    timer = setTimeout(look, wasLate ? UNHEARD_MS : LOOK_MS);
  };
  let timer = setTimeout(look, LOOK_MS);
  return () => clearTimeout(timer);
}

function silentFor(ms: number): ConfigInvalidError {
  return new ConfigInvalidError(`the embedded service was silent for ${ms / 1_000} s`);
}

/** The messages of the child come from a timer: they show that it runs, and not that its start makes progress. */
function startingFor(ms: number, said: string): ConfigInvalidError {
  return new ConfigInvalidError(
    `the embedded service still starts after ${ms / 1_000} s: start it by itself with weir serve to see what it waits for, or name one that runs as SERVICE_URL${said === "" ? "" : `: ${said.trim()}`}`,
  );
}

/** weir.ts in a checkout, weir.js in the built package. */
function commandFile(): string {
  return path.join(import.meta.dirname, "..", `weir${path.extname(import.meta.filename)}`);
}
