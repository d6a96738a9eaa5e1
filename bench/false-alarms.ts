/**
 * The share of random addresses that count as an imitation with all bundled labels: `node bench/false-alarms.ts`.
 *
 * Real addresses have random bytes, so first characters have their real distribution. Each is checked as target and as
 * token, against 999 random users of its kind: a check compares 999 pairs. Accounts of Hedera are numbers, and tokens
 * of launchpads have their ending. Seeded: every run is equal.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, createBase58check } from "@scure/base";
import { LabelFiles } from "../src/adapters/files/labels/label-files.ts";
import { parseAddress } from "../src/chains/address.ts";
import { evmEndings } from "../src/chains/evm/evm-endings.generated.ts";
import { findChain } from "../src/chains/registry.ts";
import { bundled } from "../src/cli/program/package-root.ts";
import { seededRandom } from "../src/kernel/retry.ts";
import { gatherTarget, gatherToken } from "../src/service/address-poisoning/gather.ts";
import { judgeTarget, judgeToken } from "../src/service/address-poisoning/judge.ts";
import { UserAddresses } from "../src/service/address-poisoning/user-addresses.ts";
import { LabelBook } from "../src/service/labels/label-book.ts";
import type { ServiceSubject } from "../src/service/subject.ts";

const random = seededRandom(20_261_122);
const base58check = createBase58check(sha256);
const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));

const hexText = (count: number) => Buffer.from(bytes(count)).toString("hex");

const makers = {
  evm: () => `0x${hexText(20)}`,
  tron: () => base58check.encode(Uint8Array.of(0x41, ...bytes(20))),
  solana: () => base58.encode(bytes(32)),
  bitcoin: () => base58check.encode(Uint8Array.of(0, ...bytes(20))),
  bech32: () => bech32.encode("bc", [0, ...bech32.toWords(bytes(20))]),
  hedera: () =>
    `0x${Math.floor(random() * 10_000_000)
      .toString(16)
      .padStart(40, "0")}`,
} as const;

function subject(id: string, make: () => string): ServiceSubject {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  const parsed = parseAddress(chain.family, make());
  if (!parsed.ok) throw new Error(parsed.detail);
  return { chain, address: parsed.value };
}

const book = LabelBook.of(await new LabelFiles(bundled.labels, bundled.labels).load());

/** Prints how many of `checks` random addresses count as imitations of 999 others of their kind, or of a label. */
function check(kind: string, id: string, make: () => string, checks: number): void {
  const users = new UserAddresses(Array.from({ length: 999 }, () => subject(id, make)));
  const alarms = { user: 0, label: 0, token: 0, system: 0 };
  for (let i = 0; i < checks; i++) {
    const checked = subject(id, make);
    const target = judgeTarget(gatherTarget(checked, users, book));
    if (target.mimicsUser) alarms.user++;
    else if (target.mimicsSystem) alarms.system++;
    else if (target.isPoisoning) alarms.label++;
    if (judgeToken(gatherToken(checked, book)).isPoisoning) alarms.token++;
  }
  const all = alarms.user + alarms.label + alarms.token + alarms.system;
  const per = ((100_000 * all) / checks).toFixed(2);
  console.log(`${kind.padEnd(14)} ${checks} checks: ${JSON.stringify(alarms)}, ${per} in 100,000`);
}

check("evm", "1", makers.evm, 10_000_000);
check("tron", "tron", makers.tron, 2_000_000);
check("solana", "solana", makers.solana, 4_000_000);
check("bitcoin", "bitcoin", makers.bitcoin, 1_000_000);
check("bitcoin bc1q", "bitcoin", makers.bech32, 1_000_000);
check("hedera", "295", makers.hedera, 100_000);
for (const [id, endings] of Object.entries(evmEndings)) {
  for (const ending of endings) {
    check(`${id} ...${ending}`, id, () => `0x${hexText(20).slice(0, -ending.length)}${ending}`, 10_000);
  }
}
