/**
 * Simulations a second of a SOL transfer. It compares bare LiteSVM with postAccounts; Weir's machine, which also reads
 * the accounts before, tables and mints; the judgement of the result; and the pool of threads. Then it prints the
 * memory of 100,000 simulations, or of the given number. Run: node bench/solana.ts [300000]
 */
import { availableParallelism } from "node:os";
import path from "node:path";
import { type Address, getTransactionDecoder, lamports } from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import { SimulatorPool } from "../src/adapters/solana/simulator/simulator-pool.ts";
import { VirtualMachine } from "../src/adapters/solana/simulator/virtual-machine.ts";
import { keyText } from "../src/chains/solana/key.ts";
import { compileMessage } from "../src/chains/solana/message/compile-message.ts";
import { programs } from "../src/chains/solana/programs.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";
import { judge } from "../src/service/solana-transactions/judge.ts";

const [from, to] = [7, 8].map((n) => keyText(new Uint8Array(32).fill(n)));
if (from === undefined || to === undefined) throw new Error("two keys");
const account = { lamports: 10_000_000_000n, owner: programs.system, executable: false, data: new Uint8Array() };
const accounts = new Map([
  [from, account],
  [to, account],
]);
const transfer = {
  program: programs.system,
  accounts: [from, to].map((address) => ({ address, isSigner: address === from, isWritable: true })),
  data: Uint8Array.of(2, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0),
};
const read = compileMessage(from, [transfer]);
if (!read.ok) throw new Error(read.detail);
const message = read.value;

const svm = new LiteSVM().withSigverify(false).withBlockhashCheck(false).withTransactionHistory(0n);
for (const [address, { data, owner, ...rest }] of accounts) {
  svm.setAccount({
    ...rest,
    address: address as Address,
    lamports: lamports(rest.lamports),
    programAddress: owner as Address,
    data,
    space: 0n,
  });
}
const transaction = getTransactionDecoder().decode(Uint8Array.from([1, ...new Uint8Array(64), ...message.bytes]));

async function rate(name: string, count: number, run: (count: number) => Promise<void> | void): Promise<void> {
  await run(count / 10);
  const begin = performance.now();
  const cpuBegin = process.threadCpuUsage();
  await run(count);
  const wall = Math.round((count * 1000) / (performance.now() - begin));
  const { user, system } = process.threadCpuUsage(cpuBegin);
  const cpu = Math.round((count * 1e6) / (user + system));
  console.log(`${name}: ${wall} a second, ${cpu} a second of this thread's processor time`);
}

await rate("bare LiteSVM with postAccounts", 20_000, (count) => {
  for (let i = 0; i < count; i++) {
    const result = svm.simulateTransaction(transaction);
    if (result instanceof FailedTransactionMetadata) throw new Error(String(result));
    result.postAccounts();
  }
});
const machine = new VirtualMachine({ slot: 1, unixTimestamp: 0, accounts });
await rate("our machine, this thread", 20_000, (count) => {
  for (let i = 0; i < count; i++) machine.simulate([message], false);
});
const [simulation] = machine.simulate([message], false);
if (simulation === undefined) throw new Error("no simulation");
const noLabels = LabelBook.of([]);
await rate("judging it, this thread", 100_000, (count) => {
  for (let i = 0; i < count; i++) judge(message, simulation, noLabels);
});
const threads = availableParallelism();
const pool = new SimulatorPool({
  threadFile: path.join(import.meta.dirname, "..", "src", "cli", "serve", "simulator-thread.ts"),
  snapshot: { slot: 1, unixTimestamp: 0, accounts },
  threads,
  timeoutMs: 60_000,
  clock: systemClock,
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: console.error },
});
await rate(`the pool, ${threads} threads, 8 in a request, 16 requests at once`, 20_000, async (count) => {
  const batch = Array.from({ length: 8 }, () => message);
  const client = async () => {
    for (let i = 0; i < count / 128; i++) await pool.simulate(batch, false);
  };
  await Promise.all(Array.from({ length: 16 }, client));
});
const alone: number[] = [];
for (let i = 0; i < 2_000; i++) {
  const begin = performance.now();
  await pool.simulate([message], false);
  alone.push(performance.now() - begin);
}
alone.sort((a, b) => a - b);
console.log(`one at a time through the pool: p50 ${alone[1_000]?.toFixed(2)} ms, p99 ${alone[1_980]?.toFixed(2)} ms`);
await pool.close();

/** Fresh accounts as from a node: each run brings its own and leaves none. */
const over = (n: number) => {
  const holders = [from, to, keyText(Uint8Array.from({ length: 32 }, (_, i) => (i < 4 ? (n >> (8 * i)) & 0xff : 9)))];
  return { slot: 400_000_000 + n, accounts: new Map(holders.map((address) => [address, account])) };
};
const rssMb = () => Math.round(process.memoryUsage.rss() / 1e6);
const total = Number(process.argv[2] ?? 100_000);
const begin = performance.now();
for (let i = 1; i <= total; i++) {
  machine.simulateOver(over(i), [message], false);
  if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  if (i % 25_000 === 0) console.log(`resident after ${i} simulations over accounts of their own: ${rssMb()} MB`);
}
console.log(`these, accounts set and taken away: ${Math.round((total * 1000) / (performance.now() - begin))} a second`);
