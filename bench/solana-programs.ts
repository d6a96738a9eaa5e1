/**
 * The memory of programs of 100 kB: LiteSVM releases none as long as its thread lives. The first number of programs
 * runs on one machine in this thread. The second number runs through a pool of two threads, which are replaced at 32
 * MiB of code. Each program is called once. Run: node bench/solana-programs.ts 600 0, and node bench/solana-programs.ts
 * 0 4000
 */
import { loadavg } from "node:os";
import path from "node:path";
import type { Address } from "@solana/kit";
import { LiteSVM } from "litesvm";
import { SimulatorPool } from "../src/adapters/solana/simulator/simulator-pool.ts";
import { VirtualMachine } from "../src/adapters/solana/simulator/virtual-machine.ts";
import type { AccountState } from "../src/chains/solana/accounts/account-state.ts";
import { keyText } from "../src/chains/solana/key.ts";
import { compileMessage } from "../src/chains/solana/message/compile-message.ts";
import { programs } from "../src/chains/solana/programs.ts";
import { systemClock } from "../src/kernel/clock.ts";

const PAYER = keyText(new Uint8Array(32).fill(7));
const SLOT = 400_000_000;
/** Bytes before the code of an upgradeable program. Source: UpgradeableLoaderState. */
const HEADER_BYTES = 45;

/** The token program's own code, about 100 kB, as a program that only the chain has. */
function tokenCode(): Uint8Array {
  const svm = new LiteSVM();
  const program = svm.getAccount(programs.token as Address);
  if (!program.exists) throw new Error("the runtime has no token program");
  if (program.programAddress !== programs.upgradeableLoader) return program.data;
  const code = svm.getAccount(keyText(program.data.subarray(4, 36)) as Address);
  if (!code.exists) throw new Error("the token program has no code");
  return code.data.subarray(HEADER_BYTES);
}

const data = tokenCode();
const wallet = { lamports: 10n ** 10n, owner: programs.system, executable: false, data: new Uint8Array() };

/** A call of the `n`-th program, with all accounts that it takes. */
function callOf(n: number) {
  const key = new Uint8Array(32).fill(9);
  new DataView(key.buffer).setUint32(0, n);
  const program = keyText(key);
  const read = compileMessage(PAYER, [{ program, accounts: [], data: Uint8Array.of(255) }]);
  if (!read.ok) throw new Error(read.detail);
  const code: AccountState = { lamports: 10n ** 10n, owner: programs.loader, executable: true, data };
  const accounts = new Map([
    [PAYER, wallet],
    [program, code],
  ]);
  return { message: read.value, over: { slot: SLOT, accounts } };
}

const resident = () => `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
const [onOne = 600, inPool = 0] = process.argv.slice(2).map(Number);

console.log(`load average before: ${loadavg().map((load) => load.toFixed(1))}; each program has ${data.length} bytes`);
const machine = new VirtualMachine({ slot: undefined, unixTimestamp: 0, accounts: new Map() });
for (let n = 1; n <= onOne; n++) {
  const { message, over } = callOf(n);
  machine.simulateOver(over, [message], false);
  if (n % 100 === 0) console.log(`one machine, resident after ${n} programs: ${resident()}`);
}

const pool = new SimulatorPool({
  threadFile: path.join(import.meta.dirname, "..", "src", "cli", "serve", "simulator-thread.ts"),
  snapshot: { slot: undefined, unixTimestamp: 0, accounts: new Map() },
  threads: 2,
  timeoutMs: 60_000,
  clock: systemClock,
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: console.error },
});
for (let n = 1; n <= inPool; n++) {
  const { message, over } = callOf(onOne + n);
  const result = await pool.run({ messages: [message.bytes], sequence: false, over });
  if (!result.ok) throw new Error(result.detail);
  if (n % 1_000 === 0) console.log(`the pool, resident after ${n} more: ${resident()}`);
}
await pool.close();
