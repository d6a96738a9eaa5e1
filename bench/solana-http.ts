/**
 * Simulations a second through HTTP with balance changes, beside bare LiteSVM with postAccounts in the same run. Bare
 * LiteSVM runs on one thread, and on as many threads as there are cores, which is the limit of the machine. On a shared
 * machine, the relevant figure is simulations a second of processor time, of the service and of the bare thread. Then
 * it prints the time of one SOL transfer, one after the other, on an idle machine. Run: node bench/solana-http.ts
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { type Address, getTransactionDecoder, lamports } from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { Agent, request } from "undici";
import { keyText } from "../src/chains/solana/key.ts";
import { compileMessage } from "../src/chains/solana/message/compile-message.ts";
import { programs } from "../src/chains/solana/programs.ts";

const SECONDS = 5;
const TICKS_PER_SECOND = 100;
/** Simulations after which no thread compiles code any more. */
const WARM = 40_000;
const IN_ONE_REQUEST = 64;
const KEY = "bench-key-of-nobody";
const LAMPORTS = 10_000_000_000n;

/** Each transfer has its own sender. */
const transfers = Array.from({ length: IN_ONE_REQUEST }, (_, i) => {
  const accounts = [2 * i + 1, 2 * i + 2].map((n) => keyText(new Uint8Array(32).fill(n)));
  const [from = ""] = accounts;
  const compiled = compileMessage(from, [
    {
      program: programs.system,
      accounts: accounts.map((address) => ({ address, isSigner: address === from, isWritable: true })),
      data: Uint8Array.of(2, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0),
    },
  ]);
  if (!compiled.ok) throw new Error(compiled.detail);
  return { accounts, wire: Uint8Array.from([1, ...new Uint8Array(64), ...compiled.value.bytes]) };
});

/** Simulations a second, by the wall's clock and of processor time. */
interface Rate {
  readonly wall: number;
  readonly cpu: number;
}

/** Returns the accounts after the run and nothing else, for `SECONDS`. */
function bare(): Rate {
  const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
  for (const address of transfers.flatMap(({ accounts }) => accounts)) {
    svm.setAccount({
      address: address as Address,
      lamports: lamports(LAMPORTS),
      programAddress: programs.system as Address,
      executable: false,
      data: new Uint8Array(),
      space: 0n,
    });
  }
  const transactions = transfers.map(({ wire }) => getTransactionDecoder().decode(wire));
  const run = (ms: number) => {
    let count = 0;
    for (const end = performance.now() + ms; performance.now() < end; count++) {
      const transaction = transactions[count % transactions.length];
      if (transaction === undefined) throw new Error("no transaction");
      const result = svm.simulateTransaction(transaction);
      if (result instanceof FailedTransactionMetadata) throw new Error(String(result));
      result.postAccounts();
    }
    return count;
  };
  run(500);
  const begin = process.threadCpuUsage();
  const count = run(SECONDS * 1000);
  const { user, system } = process.threadCpuUsage(begin);
  return { wall: count / SECONDS, cpu: (count * 1e6) / (user + system) };
}

/** Processor time of a process so far, seconds. */
function cpuSeconds(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function main(): Promise<void> {
  const threads = availableParallelism();
  console.log(`load average before: ${loadavg().map((load) => load.toFixed(1))}`);
  const alone = await bareOn(1);
  const all = await bareOn(threads);
  console.log(`bare LiteSVM with postAccounts, 1 thread: ${shown(alone)}`);
  console.log(`bare LiteSVM with postAccounts, ${threads} threads: ${shown(all)}`);
  const folder = await mkdtemp(path.join(tmpdir(), "weir-bench-"));
  const snapshot = path.join(folder, "accounts.json");
  const addresses = transfers.flatMap(({ accounts }) => accounts);
  const account = { lamports: Number(LAMPORTS), data: ["", "base64"], owner: programs.system, executable: false };
  await writeFile(snapshot, JSON.stringify(addresses.map((pubkey) => ({ pubkey, account }))));
  const main = path.join(import.meta.dirname, "..", "src", "cli", "weir.ts");
  const env = { ...process.env, PORT: "0", SERVICE_API_KEYS: KEY, SOLANA_SNAPSHOT: snapshot, LOG_LEVEL: "warn" };
  const served = spawn(process.execPath, [main, "serve"], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    const url = await new Promise<string>((resolve) =>
      served.on("message", (said) => {
        const listening: unknown = Reflect.get(Object(said), "listening");
        if (listening !== undefined) resolve(String(listening));
      }),
    );
    const through = await throughHttp(url, served.pid);
    const parts = [through.wall / all.wall, through.cpu / alone.cpu, through.cpu / all.cpu];
    const [byWall, byCore, byBusyCore] = parts.map((part) => part.toFixed(2));
    console.log(`through HTTP with balance changes: ${shown(through)}`);
    console.log(`of bare: ${byWall} by the wall's clock, ${byCore} a core, ${byBusyCore} a core with all of them busy`);
    console.log(await oneByOne(url));
  } finally {
    served.kill("SIGTERM");
    await rm(folder, { recursive: true });
  }
}

function shown({ wall, cpu }: Rate): string {
  return `${Math.round(wall)} a second, ${Math.round(cpu)} a second of processor time`;
}

async function bareOn(threads: number): Promise<Rate> {
  const counts = Array.from(
    { length: threads },
    () =>
      new Promise<Rate>((resolve, reject) => {
        new Worker(import.meta.filename).on("message", resolve).on("error", reject);
      }),
  );
  const rates = await Promise.all(counts);
  const wall = rates.reduce((sum, rate) => sum + rate.wall, 0);
  return { wall, cpu: rates.reduce((sum, rate) => sum + rate.cpu, 0) / threads };
}

const agent = new Agent({ connections: 8 });

async function ask(url: string, body: string): Promise<void> {
  const response = await request(`${url}/v2/svc/solana-emulate`, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": KEY },
    body,
  });
  const text = await response.body.text();
  if (response.statusCode !== 200 || !text.includes('"delta_value":"-1005000"')) throw new Error(text.slice(0, 300));
}

const bodyOf = (count: number) =>
  JSON.stringify({
    sol_transactions: transfers
      .slice(0, count)
      .map(({ wire }) => ({ transaction: Buffer.from(wire).toString("base64") })),
  });

async function throughHttp(url: string, pid: number | undefined): Promise<Rate> {
  const body = bodyOf(IN_ONE_REQUEST);
  const run = async (isOver: (count: number, ms: number) => boolean) => {
    const begin = performance.now();
    const cpuBegin = cpuSeconds(pid);
    let count = 0;
    const client = async () => {
      while (!isOver(count, performance.now() - begin)) {
        await ask(url, body);
        count += IN_ONE_REQUEST;
      }
    };
    await Promise.all(Array.from({ length: 4 }, client));
    const wall = (count * 1000) / (performance.now() - begin);
    return { wall, cpu: count / (cpuSeconds(pid) - cpuBegin) };
  };
  await run((count) => count >= WARM);
  return run((_count, ms) => ms >= SECONDS * 1000);
}

async function oneByOne(url: string): Promise<string> {
  const body = bodyOf(1);
  const times: number[] = [];
  for (let i = 0; i < 3_000; i++) {
    const begin = performance.now();
    await ask(url, body);
    if (i >= 1_000) times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(2);
  return `one transfer after the other, 2,000: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms`;
}

if (isMainThread) await main();
else parentPort?.postMessage(bare());
