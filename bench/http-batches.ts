/**
 * Full batches through the real service over HTTP: `node bench/http-batches.ts`.
 * The service runs as a child process with 100,000 labels; this process loads it over 4 kept-alive connections. The
 * figure that counts is batches per second of the service's own CPU time, since both processes share the machine.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { toChecksumAddress } from "../src/chains/evm-address.ts";
import { seededRandom } from "../src/kernel/random.ts";

const LABELS = 100_000;
const CONNECTIONS = 4;
const WARM_UP = 100;
const BATCHES = 1_500;
const TICKS_PER_SECOND = 100;

const random = seededRandom(7);
const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
const address = () => `0x${hex(40)}`;

const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const labels = path.join(folder, "labels.csv");
writeFileSync(
  labels,
  `chain,address,name,kind\n${Array.from({ length: LABELS }, (_, i) => `1,${address()},label ${i},exchange`).join("\n")}\n`,
);

const main = path.resolve(import.meta.dirname, "..", "src", "cli", "main.ts");
const service = spawn(process.execPath, [main, "serve"], {
  env: { ...process.env, PORT: "0", SERVICE_API_KEYS: "bench", LABELS_FILES: labels, LOG_LEVEL: "warn" },
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const url = await new Promise<string>((resolve) =>
  service.once("message", (message) => resolve(Object(message).listening)),
);

function batch(users: number, targets: number, spell: (text: string) => string): string {
  const items = (count: number) => Array.from({ length: count }, () => ({ chain_id: "1", address: spell(address()) }));
  return JSON.stringify({ user_addresses: items(users), target_addresses: items(targets), token_addresses: [] });
}

const cases = [
  ["1 user, 999 targets, lower case", batch(1, 999, (text) => text)],
  ["500 users, 500 targets, lower case", batch(500, 500, (text) => text)],
  ["500 users, 500 targets, EIP-55", batch(500, 500, toChecksumAddress)],
] as const;

/** User and system time of the service so far, seconds. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const agent = new Agent({ connections: CONNECTIONS });
async function post(body: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": "bench" };
  const response = await request(`${url}/v2/svc/address-poisoning`, {
    dispatcher: agent,
    method: "POST",
    headers,
    body,
  });
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}: ${await response.body.text()}`);
  await response.body.dump({ limit: 10_000_000 });
}

async function load(body: string, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await post(body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

process.stdout.write(
  `node ${process.version}, ${availableParallelism()} cores, ${LABELS} labels, ${BATCHES} batches a case\n`,
);
for (const [name, body] of cases) {
  await load(body, WARM_UP);
  const [cpu, wall] = [cpuSeconds(), performance.now()];
  await load(body, BATCHES);
  const seconds = (performance.now() - wall) / 1000;
  const perCpuSecond = BATCHES / (cpuSeconds() - cpu);
  process.stdout.write(
    `${name.padEnd(38)} ${(BATCHES / seconds).toFixed(0).padStart(6)} batches/s  ${perCpuSecond.toFixed(0).padStart(6)} batches per CPU second\n`,
  );
}
await agent.close();
service.kill("SIGTERM");
rmSync(folder, { recursive: true });
