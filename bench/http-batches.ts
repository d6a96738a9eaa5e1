/**
 * Full batches through the real service over HTTP: `node bench/http-batches.ts`.
 * The service runs as a child process with 100,000 labels; this process loads it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { routes } from "../src/api/routes.ts";
import { toChecksumAddress } from "../src/chains/evm/evm-address.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { startService } from "./loaded-service.ts";

const LABELS = 100_000;
const WARM_UP = 100;
const BATCHES = 1_500;
const PATH = routes.poisoningBatch.path;

const random = seededRandom(7);
const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join("");
const address = () => `0x${hex(40)}`;

const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const labels = path.join(folder, "labels.csv");
writeFileSync(
  labels,
  `chain,address,name,kind\n${Array.from({ length: LABELS }, (_, i) => `1,${address()},label ${i},exchange`).join("\n")}\n`,
);

const service = await startService({ LABELS_FILES: labels });

function batch(users: number, targets: number, spell: (text: string) => string): string {
  const items = (count: number) => Array.from({ length: count }, () => ({ chain_id: "1", address: spell(address()) }));
  return JSON.stringify({ user_addresses: items(users), target_addresses: items(targets), token_addresses: [] });
}

const cases = [
  ["1 user, 999 targets, lower case", batch(1, 999, (text) => text)],
  ["500 users, 500 targets, lower case", batch(500, 500, (text) => text)],
  ["500 users, 500 targets, EIP-55", batch(500, 500, toChecksumAddress)],
] as const;

process.stdout.write(
  `node ${process.version}, ${availableParallelism()} cores, ${LABELS} labels, ${BATCHES} batches a case\n`,
);
for (const [name, body] of cases) {
  await service.load(PATH, [body], WARM_UP);
  const { perSecond, perCpuSecond } = await service.load(PATH, [body], BATCHES);
  process.stdout.write(
    `${name.padEnd(38)} ${perSecond.toFixed(0).padStart(6)} batches/s  ${perCpuSecond.toFixed(0).padStart(6)} batches per CPU second\n`,
  );
}
await service.stop();
rmSync(folder, { recursive: true });
