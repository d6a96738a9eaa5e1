/**
 * `weir screen` without and with a list of 20,000 addresses, alternating in one run, with an equal number of firsts. It
 * prints the ratio of their speeds and of their processor time. `node bench/screen-with-lists.ts [EVENTS] [ROUNDS]`.
 * Goal: 0.97 of the speed without the list.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seededRandom } from "../src/kernel/retry.ts";
import { randomAddress } from "../test/support/random-addresses.ts";
import { builtCommand, type Measured, measured, startService, writeEvents } from "./pipeline-run.ts";

const EVENTS = Number(process.argv[2] ?? 200_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const ENTRIES = 20_000;
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const file = path.join(folder, "events.ndjson");
const list = path.join(folder, "sanctions.csv");
const random = seededRandom(1);
const rows = Array.from({ length: ENTRIES }, (_, i) => {
  return `evm,${randomAddress("evm", random)},Party ${i % 500},sanctioned,CYBER2,listed 2026-11-${10 + (i % 10)}\n`;
});
writeFileSync(list, `chain,address,name,kind,program,note\n${rows.join("")}`);

await writeEvents(file, EVENTS);
const service = await startService();
try {
  const command = builtCommand();
  const env = { SERVICE_URL: service.url, SERVICE_API_KEY: "k", SERVICE_QUOTA: "10000/1s" };
  let run = 0;
  // The output of a run is deleted: dirty pages of one run slow down the next.
  const screen = async (more: NodeJS.ProcessEnv) => {
    const out = path.join(folder, `run${++run}`);
    const told = await measured([command, "screen", file, "--out", out], { ...env, ...more });
    rmSync(out, { recursive: true });
    return told;
  };
  // The first run warms the machine up, and does not count.
  await screen({});
  const pairs: { readonly without: Measured; readonly listed: Measured }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    // The order alternates: the second run of a pair finds a warmer and a fuller machine.
    const first = round % 2 === 1 ? await screen({}) : undefined;
    const listed = await screen({ LISTS_FILES: list });
    const pair = { without: first ?? (await screen({})), listed };
    pairs.push(pair);
    const told = (of: Measured) => `${of.seconds.toFixed(1)} s, CPU ${of.cpu.toFixed(1)} s, ${of.rss} MiB`;
    process.stdout.write(`round ${round}: without ${told(pair.without)}; with the list ${told(pair.listed)}\n`);
  }
  const median = (of: (pair: (typeof pairs)[number]) => number) =>
    pairs
      .map(of)
      .toSorted((a, b) => a - b)
      [Math.floor(ROUNDS / 2)]?.toFixed(3);
  process.stdout.write(`speed with the list / without: ${median((p) => p.without.seconds / p.listed.seconds)}\n`);
  process.stdout.write(`CPU with the list / without: ${median((p) => p.listed.cpu / p.without.cpu)}\n`);
} finally {
  service.stop();
  rmSync(folder, { recursive: true });
}
