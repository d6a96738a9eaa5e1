/**
 * Verdicts on TRON transactions by the real service over HTTP: `node bench/tron-static.ts`.
 * The service runs as a child process with the labels that ship; this process loads it over 4 kept-alive connections.
 * The figure that counts is verdicts per second of the service's own CPU time, since both processes share the machine.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";

const CONNECTIONS = 4;
const WARM_UP = 3_000;
const VERDICTS = 20_000;
const ROUNDS = 3;
const TICKS_PER_SECOND = 100;

const root = path.resolve(import.meta.dirname, "..");
const service = spawn(process.execPath, [path.join(root, "src", "cli", "main.ts"), "serve"], {
  env: { ...process.env, PORT: "0", SERVICE_API_KEYS: "bench", LOG_LEVEL: "warn" },
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const url = await new Promise<string>((resolve) =>
  service.once("message", (message) => resolve(Object(message).listening)),
);

const { vectors } = JSON.parse(readFileSync(path.join(root, "test", "fixtures", "tron-vectors.json"), "utf8")) as {
  readonly vectors: readonly { readonly name: string; readonly transaction: unknown }[];
};
const bodies = (names: (name: string) => boolean) =>
  vectors
    .filter(({ name }) => names(name))
    .map(({ transaction }) => JSON.stringify({ tron_transactions: [transaction], simulate: false }));
const cases = [
  ["one of each builder of tronweb", bodies(() => true)],
  ["payments", bodies((name) => name === "sendTrx")],
  ["token calls", bodies((name) => name.startsWith("triggerSmartContract"))],
  ["permission updates", bodies((name) => name.startsWith("updateAccountPermissions"))],
] as const;

/** User and system time of the service so far, seconds. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${service.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const agent = new Agent({ connections: CONNECTIONS });
async function post(body: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": "bench" };
  const response = await request(`${url}/v2/svc/transaction-security`, {
    dispatcher: agent,
    method: "POST",
    headers,
    body,
  });
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}: ${await response.body.text()}`);
  await response.body.dump({ limit: 10_000_000 });
}

async function load(sent: readonly string[], count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await post(sent[left % sent.length] ?? "");
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

process.stdout.write(
  `node ${process.version}, ${availableParallelism()} cores, ${VERDICTS} verdicts a round, ${ROUNDS} rounds\n`,
);
for (const [name, sent] of cases) {
  await load(sent, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    const cpuBefore = cpuSeconds();
    const before = performance.now();
    await load(sent, VERDICTS);
    const seconds = (performance.now() - before) / 1000;
    const perSecond = (elapsed: number) => String(Math.round(VERDICTS / elapsed)).padStart(7);
    process.stdout.write(`${name.padEnd(34)} ${perSecond(seconds)}/s ${perSecond(cpuSeconds() - cpuBefore)}/CPU s\n`);
  }
}
await agent.close();
service.kill("SIGTERM");
