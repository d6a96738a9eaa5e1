/**
 * The cost of a mapping: the built `weir screen` over one CSV with Weir's own columns, and over the same rows in the
 * columns of another program with `--map`. The runs alternate. It compares processor times, which other work disturbs less. `node bench/mapped-file.ts [ROWS]`.
 */
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { builtCommand, measured, startService, writeEvents } from "./pipeline-run.ts";

const ROWS = Number(process.argv[2] ?? 200_000);
const ROUNDS = 5;
/** Weir does not search for the quota of a service without one. */
const OUT_OF_REACH = { SERVICE_QUOTA: "10000/1s" };
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const [events, own, foreign, map] = ["events.ndjson", "own.csv", "foreign.csv", "map.yaml"].map((name) =>
  path.join(folder, name),
) as [string, string, string, string];

await writeEvents(events, ROWS);
await writeRows();
writeFileSync(
  map,
  `schema: weir.mapping/1
fields:
  chain_id: { from: Network, table: { ERC20: 1 } }
  address: { from: [Recipient, To] }
  user_addresses: [From]
`,
);
const service = await startService();
try {
  const env = { SERVICE_URL: service.url, SERVICE_API_KEY: "k", ...OUT_OF_REACH };
  const command = builtCommand();
  const run = (file: string, out: string, flags: readonly string[]) =>
    measured([command, "screen", file, "--out", path.join(folder, out), ...flags], env);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const plain = await run(own, `plain${round}`, []);
    const mapped = await run(foreign, `mapped${round}`, ["--map", map]);
    ratios.push(mapped.cpu / plain.cpu);
    process.stdout.write(
      `round ${round}: plain ${plain.cpu.toFixed(1)} s, ${plain.rss} MiB; mapped ${mapped.cpu.toFixed(1)} s, ${mapped.rss} MiB\n`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  process.stdout.write(
    `processor time with a mapping: ${((median - 1) * 100).toFixed(1)} % more (median of ${ROUNDS})\n`,
  );
} finally {
  service.stop();
  rmSync(folder, { recursive: true });
}

/** Both files have the same rows and the same number of columns. */
async function writeRows(): Promise<void> {
  const [plain, other] = [createWriteStream(own), createWriteStream(foreign)];
  plain.write("chain,address,users,note,memo\n");
  other.write("Network,Recipient,From,Note,Memo\n");
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(events) })) {
    const event = JSON.parse(text) as { chain_id: string; address: string; user_addresses: string[] };
    const users = event.user_addresses.join(" ");
    plain.write(`${event.chain_id},${event.address},${users},row,${++line}\n`);
    other.write(`ERC20,${event.address},${users},row,${line}\n`);
  }
  await Promise.all([plain, other].map((stream) => new Promise((resolve) => stream.end(resolve))));
}
