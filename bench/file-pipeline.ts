/**
 * The built `weir screen` beside a plain loop over the same file. One run has both, against a trivial service in a
 * separate process. It prints the ratio of their speeds, the requests beside the ideal, and the peak memory. Both run
 * as in the image (`imageSettings`). `node bench/file-pipeline.ts [EVENTS]`.
 */
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { builtCommand, type Measured, measured, startService, writeEvents } from "./pipeline-run.ts";

const EVENTS = Number(process.argv[2] ?? 200_000);
const ROUNDS = 3;
/** Events with one user and one target that fit into a request beside its canaries. */
const EVENTS_A_REQUEST = 497;
/** The plain loop has no quota, and does not search for one either. */
const OUT_OF_REACH = { SERVICE_QUOTA: "10000/1s" };
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const file = path.join(folder, "events.ndjson");

await writeEvents(file, EVENTS);
const service = await startService();
try {
  const env = { SERVICE_URL: service.url, SERVICE_API_KEY: "k" };
  const command = builtCommand();
  const weir = (out: string, quota: NodeJS.ProcessEnv) =>
    measured([command, "screen", file, "--out", out], { ...env, ...quota });
  const first = await weir(path.join(folder, "sample"), {});
  const sample = await firstLineOf(path.join(folder, "sample", "verdicts.ndjson"));
  const ratios: number[] = [];
  let peak = first.rss;
  for (let round = 1; round <= ROUNDS; round++) {
    const out = path.join(folder, `loop${round}`);
    const loop = await measured(["plain-loop.ts", file, out, service.url], { SAMPLE: sample });
    const ours = await weir(path.join(folder, `weir${round}`), OUT_OF_REACH);
    peak = Math.max(peak, ours.rss);
    ratios.push(loop.seconds / ours.seconds);
    process.stdout.write(
      `round ${round}: plain loop ${perSecond(loop)}/s, ${loop.rss} MiB; weir screen ${perSecond(ours)}/s, ${ours.rss} MiB\n`,
    );
  }
  const few = path.join(folder, "few.ndjson");
  await writeEvents(few, EVENTS / 10);
  const unpacked = await measured(["plain-loop.ts", few, path.join(folder, "unpacked"), service.url], {
    SAMPLE: sample,
    PACK: "1",
  });
  const requests = Number(/^requests +(\d+)$/m.exec(first.said)?.[1]);
  const ideal = Math.ceil(EVENTS / EVENTS_A_REQUEST);
  process.stdout.write(`weir screen / plain loop: ${ratios.toSorted()[1]?.toFixed(2)} (median of ${ROUNDS})\n`);
  process.stdout.write(`weir screen that learns its quota from nothing, once: ${perSecond(first)}/s\n`);
  process.stdout.write(`the same loop with one event a request, once: ${perSecond(unpacked, EVENTS / 10)}/s\n`);
  process.stdout.write(`requests: ${requests}, ideal ${ideal}: +${((100 * requests) / ideal - 100).toFixed(1)} %\n`);
  process.stdout.write(`peak memory: ${peak} MiB\n`);
} finally {
  service.stop();
  rmSync(folder, { recursive: true });
}

async function firstLineOf(path: string): Promise<string> {
  for await (const line of createInterface({ input: createReadStream(path) })) return line;
  throw new Error(`${path} is empty`);
}

function perSecond({ seconds }: Measured, events = EVENTS): number {
  return Math.round(events / seconds);
}
