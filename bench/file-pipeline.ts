/**
 * `weir screen` beside a plain loop over the same file, against a trivial service in a process of its own, in one run:
 * the ratio of their speeds, requests beside the ideal, and peak memory. `node bench/file-pipeline.ts [EVENTS]`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sha256 } from "../src/kernel/sha256.ts";

const EVENTS = Number(process.argv[2] ?? 200_000);
const ROUNDS = 3;
/** Events of one user and one target that fit into a request beside its canaries. */
const EVENTS_A_REQUEST = 498;
const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const file = path.join(folder, "events.ndjson");

await writeEvents();
const service = spawn(process.execPath, [path.join(here, "trivial-service.ts")], {
  stdio: ["ignore", "pipe", "inherit", "ipc"],
});
try {
  const [url = ""] = (await once(service.stdout as NodeJS.ReadableStream, "data")).map((chunk) => String(chunk).trim());
  const env = { SERVICE_URL: url, SERVICE_API_KEY: "k" };
  const weir = (out: string) => measured(["../src/cli/main.ts", "screen", file, "--out", out], env);
  const first = await weir(path.join(folder, "sample"));
  const [sample = ""] = readFileSync(path.join(folder, "sample", "verdicts.ndjson"), "utf8").split("\n", 1);
  const ratios: number[] = [];
  let peak = first.rss;
  for (let round = 1; round <= ROUNDS; round++) {
    const loop = await measured(["plain-loop.ts", file, path.join(folder, `loop${round}`), url], { SAMPLE: sample });
    const ours = await weir(path.join(folder, `weir${round}`));
    peak = Math.max(peak, ours.rss);
    ratios.push(loop.seconds / ours.seconds);
    process.stdout.write(
      `round ${round}: plain loop ${perSecond(loop)}/s, ${loop.rss} MiB; weir screen ${perSecond(ours)}/s, ${ours.rss} MiB\n`,
    );
  }
  const requests = Number(/^requests +(\d+)$/m.exec(first.said)?.[1]);
  const ideal = Math.ceil(EVENTS / EVENTS_A_REQUEST);
  process.stdout.write(`weir screen / plain loop: ${ratios.toSorted()[1]?.toFixed(2)} (median of ${ROUNDS})\n`);
  process.stdout.write(`requests: ${requests}, ideal ${ideal}: +${((100 * requests) / ideal - 100).toFixed(1)} %\n`);
  process.stdout.write(`peak memory: ${peak} MiB\n`);
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}

async function writeEvents(): Promise<void> {
  const stream = createWriteStream(file);
  for (let i = 0; i < EVENTS; i++) {
    const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
    const event = { type: "address", chain_id: "1", address: address("target"), user_addresses: [address("user")] };
    if (!stream.write(`${JSON.stringify({ ...event, id: `event-${i}` })}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "finish");
}

interface Measured {
  readonly seconds: number;
  /** Peak resident memory, MiB. */
  readonly rss: number;
  readonly said: string;
}

async function measured([script = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<Measured> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [path.join(here, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  let rss = 0;
  const timer = setInterval(() => (rss = Math.max(rss, peakOf(child))), 50);
  const [status] = await once(child, "close");
  clearInterval(timer);
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${said}`);
  return { seconds: (performance.now() - startedAt) / 1000, rss, said };
}

/** The kernel's own high-water mark. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function perSecond({ seconds }: Measured): number {
  return Math.round(EVENTS / seconds);
}
