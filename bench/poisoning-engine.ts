/**
 * CPU time of the address-poisoning engine: `node bench/poisoning-engine.ts`.
 *
 * Each batch is parsed again from JSON outside of the measured time, so that no string has a cached hash. A server
 * receives its batches in the same way. The figures are wall time of synchronous code on one core. Seeded: the data of
 * every run are equal.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { base58, createBase58check } from "@scure/base";
import { PoisoningBatchRequest } from "../src/api/schemas/address-poisoning.ts";
import { toChecksumAddress } from "../src/chains/evm/evm-address.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import type { AddressKind } from "../src/labels/label.ts";
import { type LabelList, readLabelList } from "../src/labels/label-list.ts";
import { screenBatch } from "../src/service/address-poisoning/screen.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";

const random = seededRandom(20_260_101);
const base58check = createBase58check(sha256);

function bytes(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
}

function evmAddress(): string {
  return `0x${Buffer.from(bytes(20)).toString("hex")}`;
}

const addressOf = {
  evm: evmAddress,
  tron: () => base58check.encode(Uint8Array.of(0x41, ...bytes(20))),
  solana: () => base58.encode(bytes(32)),
};

type Network = keyof typeof addressOf;
const chainOf: Readonly<Record<Network, string>> = { evm: "1", tron: "tron", solana: "solana" };

/** Eight in ten labels can be imitated by family, one is a token, and one is malicious. */
function kindOf(i: number): AddressKind {
  if (i % 10 === 0) return "token";
  return i % 10 === 1 ? "malicious" : "protocol";
}

function rows(network: Network, count: number) {
  return Array.from({ length: count }, (_, i) => ({
    line: i + 2,
    row: { chain: chainOf[network], address: addressOf[network](), name: `label ${i}`, kind: kindOf(i) },
  }));
}

interface Batch {
  readonly network: Network;
  readonly users: readonly [count: number, make: () => string];
  readonly targets: readonly [count: number, make: () => string];
}

function measure({ network, users, targets }: Batch, labels: LabelBook): string {
  const items = ([count, make]: readonly [number, () => string]) =>
    Array.from({ length: count }, () => ({ chain_id: chainOf[network], address: make() }));
  const bodies = Array.from({ length: 20 }, () =>
    JSON.stringify({ user_addresses: items(users), target_addresses: items(targets) }),
  );
  const times: number[] = [];
  for (let round = 0; round < 300; round++) {
    const request = PoisoningBatchRequest.parse(JSON.parse(bodies[round % bodies.length] ?? ""));
    const start = performance.now();
    const answered = screenBatch(request, labels);
    times.push(performance.now() - start);
    if (!answered.ok) throw new Error(answered.detail);
  }
  const sorted = times.slice(50).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3).padStart(7);
  return `median ${at(0.5)}  p95 ${at(0.95)}  max ${at(0.999)}`;
}

function timed<T>(name: string, make: () => T): T {
  const start = performance.now();
  const made = make();
  console.log(`${name.padEnd(52)} ${(performance.now() - start).toFixed(0)} ms`);
  return made;
}

console.log("build");
const lists: LabelList[] = [];
for (const [network, count] of [
  ["evm", 100_000],
  ["tron", 100_000],
  ["solana", 100_000],
] as const) {
  const source = rows(network, count);
  lists.push(timed(`  ${network}: rows to list, ${count}`, () => readLabelList(network, source)));
}
for (const list of lists) timed(`  ${list.name}: list to book, ${list.labels.length}`, () => LabelBook.of([list]));
{
  const million = rows("evm", 1_000_000);
  const list = timed("  evm: rows to list, 1000000", () => readLabelList("evm", million));
  timed("  evm: list to book, 1000000", () => LabelBook.of([list]));
}

const labels = LabelBook.of(lists);
const imitated =
  [...(lists[0]?.labels ?? [])].flatMap((label) => (label.kind === "protocol" ? [label.address] : []))[0] ?? "";
const middle = () => evmAddress().slice(2, 26);

const makers: readonly (readonly [name: string, network: Network, make: () => string])[] = [
  ["evm lower case", "evm", evmAddress],
  ["evm mixed case", "evm", () => toChecksumAddress(evmAddress())],
  ["tron", "tron", addressOf.tron],
  ["solana", "solana", addressOf.solana],
  // The worst requests: all addresses resemble each other, or all targets resemble a label (each match is shown in
  // EIP-55 form).
  ["evm, all alike", "evm", () => `0xabcdef00${middle()}00fedcba`],
  ["evm, all like a label", "evm", () => `${imitated.slice(0, 10)}${middle()}${imitated.slice(-8)}`],
];

for (const [users, targets] of [
  [500, 500],
  [1, 999],
  [999, 1],
] as const) {
  console.log(`\n${users} users + ${targets} targets against 100,000 labels of the family, ms`);
  for (const [name, network, make] of makers) {
    const batch: Batch = { network, users: [users, make], targets: [targets, make] };
    console.log(`  ${name.padEnd(24)} ${measure(batch, labels)}`);
  }
}
