/**
 * Shared code of the benches of the file pipeline: a file of events, a service in a separate process, a measured child.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../src/kernel/hash.ts";

const here = import.meta.dirname;

/** Writes `count` events with a user each and without findings. */
export async function writeEvents(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let i = 0; i < count; i++) {
    const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
    const event = { type: "address", chain_id: "1", address: address("target"), user_addresses: [address("user")] };
    if (!stream.write(`${JSON.stringify({ ...event, id: `event-${i}` })}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
}

/** A trivial service in a separate process; `url` is its address. */
export async function startService(): Promise<{ readonly url: string; stop(): void }> {
  const service = spawn(process.execPath, [path.join(here, "trivial-service.ts")], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [url = ""] = (await once(service.stdout as NodeJS.ReadableStream, "data")).map((chunk) => String(chunk).trim());
  return { url, stop: () => service.kill() };
}

export interface Measured {
  readonly seconds: number;
  /** Processor time, seconds, measured at most 50 ms before the end. */
  readonly cpu: number;
  /** Peak resident memory, MiB. */
  readonly rss: number;
  readonly said: string;
}

/**
 * The settings of Node and of the C library in the image, as operators run them. All compared programs use these
 * settings.
 */
export function imageSettings(): NodeJS.ProcessEnv {
  const dockerfile = readFileSync(path.join(here, "..", "Dockerfile"), "utf8");
  const settings = [...dockerfile.matchAll(/\b(NODE_OPTIONS|MALLOC_\w+)=(?:"([^"]*)"|(\S+))/g)];
  if (settings.length === 0) throw new Error("the Dockerfile sets nothing of Node");
  return Object.fromEntries(settings.map(([, name = "", quoted, plain]) => [name, quoted ?? plain]));
}

/**
 * Builds the package, as operators run it: type stripping of the sources takes time and memory. @returns its command,
 * for `measured`.
 */
export function builtCommand(): string {
  const built = spawnSync(process.execPath, [path.join(here, "..", "scripts", "build.mjs")], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the build failed: ${built.stdout}${built.stderr}`);
  return "../dist/cli/weir.js";
}

/** Runs a script of this folder until it ends. @param onSample receives its resident memory, MiB, every 50 ms. */
export async function measured(
  [script = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  onSample: (rss: number, seconds: number) => void = () => undefined,
): Promise<Measured> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const child = spawn(process.execPath, [path.join(here, script), ...args], {
    env: { ...process.env, ...imageSettings(), ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  let rss = 0;
  let cpu = 0;
  const timer = setInterval(() => {
    rss = Math.max(rss, memoryOf(child, "VmHWM"));
    cpu = Math.max(cpu, cpuOf(child));
    onSample(memoryOf(child, "VmRSS"), seconds());
  }, 50);
  const [status] = await once(child, "close");
  clearInterval(timer);
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${said}`);
  return { seconds: seconds(), cpu, rss, said };
}

/** The kernel's own figures: the present resident memory, or its peak. */
function memoryOf({ pid }: ChildProcess, what: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Ticks of the kernel's clock in a second. Source: proc(5), sysconf(_SC_CLK_TCK) of Linux. */
const TICKS = 100;

function cpuOf({ pid }: ChildProcess): number {
  try {
    // The command's name may hold spaces. Fields 14 and 15 are the 12th and 13th behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}
