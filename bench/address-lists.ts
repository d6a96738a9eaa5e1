/**
 * A list of a million addresses as the worker loads it: load time, memory, and time of one look-up. `node
 * bench/address-lists.ts [ENTRIES] [checksummed]`. Goals: 3 s, 100 MiB, 1 microsecond. `checksummed`: addresses in
 * mixed case, as in a list made by hand.
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { AddressListFiles } from "../src/adapters/files/labels/address-list-files.ts";
import { toChecksumAddress } from "../src/chains/evm/evm-address.ts";
import { findChain } from "../src/chains/registry.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { quietLog } from "../src/kernel/log.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { AddressBook, type AddressList } from "../src/labels/address-book.ts";
import { LabelStore } from "../src/labels/label-store.ts";
import { randomAddress } from "../test/support/random-addresses.ts";

const entries = Number(process.argv[2] ?? 1_000_000);
const isChecksummed = process.argv[3] === "checksummed";
const LOOK_UPS = 1_000_000;
const random = seededRandom(1);
const folder = await mkdtemp(path.join(tmpdir(), "weir-lists-"));
const file = path.join(folder, "sanctions.csv");
/** EVM rows, as most entries of public lists. */
const rowOf = (i: number) => {
  const canonical = randomAddress("evm", random);
  const address = isChecksummed ? toChecksumAddress(canonical) : canonical;
  return `evm,${address},Party ${i % 5_000},sanctioned,CYBER2,listed 2026-11-${10 + (i % 10)}\n`;
};

const out = createWriteStream(file);
out.write("chain,address,name,kind,program,note\n");
for (let i = 0; i < entries; i += 1_000) {
  const rows = Array.from({ length: Math.min(1_000, entries - i) }, (_, j) => rowOf(i + j)).join("");
  if (!out.write(rows)) await once(out, "drain");
}
await new Promise<void>((resolve) => out.end(() => resolve()));

const held = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = held();
const cpu = process.cpuUsage();
const began = performance.now();
const files = new AddressListFiles({ lists: [file], labels: [], bundled: [] }, systemClock);
const store = await LabelStore.open<AddressList, AddressBook>(files, AddressBook.steps, quietLog, () => setImmediate());
const wallMs = performance.now() - began;
const { user, system } = process.cpuUsage(cpu);
const { book } = store;
const keptMiB = (held() - before) / 2 ** 20;
console.log(`load ${entries} entries: ${(wallMs / 1_000).toFixed(2)} s, CPU ${((user + system) / 1e6).toFixed(2)} s`);
console.log(`kept: ${keptMiB.toFixed(1)} MiB; peak RSS ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`);

const ethereum = findChain("1");
if (ethereum === undefined) throw new Error("no chain");
const probe = randomAddress("evm", random);
const absent = Array.from({ length: 10_000 }, () => randomAddress("evm", random));
for (const what of ["first run, cold", "absent address"]) {
  const from = performance.now();
  let found = 0;
  for (let i = 0; i < LOOK_UPS; i++) found += book.listed(ethereum, absent[i % absent.length] ?? probe).length;
  console.log(`${what}: ${(((performance.now() - from) * 1_000) / LOOK_UPS).toFixed(3)} microseconds (${found} found)`);
}
await rm(folder, { recursive: true });
