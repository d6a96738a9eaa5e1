/**
 * Whether the memory of `weir screen` stays flat over a long file: its resident memory minute by minute, and its peak.
 * `node bench/long-file.ts [EVENTS]`. It takes about 1.4 KB of disk an event.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { builtCommand, measured, startService, writeEvents } from "./pipeline-run.ts";

const EVENTS = Number(process.argv[2] ?? 10_000_000);
const SAMPLE_S = 60;
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const file = path.join(folder, "events.ndjson");

await writeEvents(file, EVENTS);
const service = await startService();
try {
  const env = { SERVICE_URL: service.url, SERVICE_API_KEY: "k" };
  let minute = 0;
  let highest = 0;
  const onSample = (rss: number, seconds: number) => {
    highest = Math.max(highest, rss);
    if (seconds < (minute + 1) * SAMPLE_S) return;
    process.stdout.write(`minute ${++minute}: at most ${highest} MiB\n`);
    highest = 0;
  };
  const run = await measured([builtCommand(), "screen", file, "--out", path.join(folder, "out")], env, onSample);
  process.stdout.write(`${run.said}\n${EVENTS} events in ${Math.round(run.seconds)} s, peak memory ${run.rss} MiB\n`);
} finally {
  service.stop();
  rmSync(folder, { recursive: true });
}
