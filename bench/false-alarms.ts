/**
 * How often a random address is called an imitation with everything loaded that ships: `node bench/false-alarms.ts`.
 *
 * Real addresses of random bytes, so that first characters have their real distribution; each is checked as target
 * and as token, against 999 random users of its family. Seeded: the same every run.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { base58, createBase58check } from "@scure/base";
import { LabelFiles } from "../src/adapters/files/label-files.ts";
import { parseAddress } from "../src/chains/address.ts";
import { findChain } from "../src/chains/registry.ts";
import { bundled } from "../src/cli/package-root.ts";
import { seededRandom } from "../src/kernel/random.ts";
import { gatherTarget, gatherToken } from "../src/service/address-poisoning/gather.ts";
import { judgeTarget, judgeToken } from "../src/service/address-poisoning/judge.ts";
import { UserAddresses } from "../src/service/address-poisoning/user-addresses.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";
import type { Subject } from "../src/service/subject.ts";

const random = seededRandom(20_261_122);
const base58check = createBase58check(sha256);
const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));

const makers = {
  "1": () => `0x${Buffer.from(bytes(20)).toString("hex")}`,
  tron: () => base58check.encode(Uint8Array.of(0x41, ...bytes(20))),
  solana: () => base58.encode(bytes(32)),
} as const;

function subject(id: keyof typeof makers): Subject {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  const parsed = parseAddress(chain.family, makers[id]());
  if (!parsed.ok) throw new Error(parsed.detail);
  return { chain, address: parsed.value };
}

const book = LabelBook.of(await new LabelFiles(bundled.labels, bundled.labels).load());
for (const [id, checks] of [
  ["1", 10_000_000],
  ["tron", 2_000_000],
  ["solana", 4_000_000],
] as const) {
  const users = new UserAddresses(Array.from({ length: 999 }, () => subject(id)));
  const alarms = { user: 0, label: 0, token: 0 };
  for (let i = 0; i < checks; i++) {
    const checked = subject(id);
    const target = judgeTarget(gatherTarget(checked, users, book));
    if (target.mimicsUser) alarms.user++;
    else if (target.isPoisoning) alarms.label++;
    if (judgeToken(gatherToken(checked, book)).isPoisoning) alarms.token++;
  }
  const per = ((100_000 * (alarms.user + alarms.label + alarms.token)) / checks).toFixed(2);
  console.log(`${id.padEnd(7)} ${checks} checks: ${JSON.stringify(alarms)}, ${per} in 100,000`);
}
