/**
 * Writes test/fixtures/lookalikes.generated.ts, for the address formats with checksums that make lookalikes hard to
 * find. It has groups of valid addresses in which each address resembles another by chains/lookalike.ts. All addresses
 * come from SHA-256 of counted names, so they have no known owner. A second run writes the same bytes.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import { type CanonicalAddress, parseAddress } from "../../src/chains/address.ts";
import { formatOf } from "../../src/chains/address-format.ts";
import type { Family } from "../../src/chains/chain.ts";
import { lookalike } from "../../src/chains/lookalike.ts";

const COUNT = 600_000;
const PAIRS = 10;
const LARGER = 10;

const base58check = createBase58check(sha256);
const base58 = (version: number) => (bytes: Uint8Array) =>
  base58check.encode(Uint8Array.of(version, ...bytes.subarray(0, 20)));
const formats: readonly { name: string; family: Family; address: (bytes: Uint8Array) => string }[] = [
  { name: "tron", family: "tron", address: base58(0x41) },
  { name: "bitcoinBase58", family: "bitcoin", address: base58(0) },
  {
    name: "bitcoinBech32",
    family: "bitcoin",
    address: (bytes) => bech32.encode("bc", [0, ...bech32.toWords(bytes.subarray(0, 20))]),
  },
];

/** Groups of similar addresses, the larger groups first. */
function groupsOf({ name, family, address }: (typeof formats)[number]): CanonicalAddress[][] {
  const groups = new Map<CanonicalAddress, Set<CanonicalAddress>>();
  const byEnds = new Map<string, CanonicalAddress>();
  for (let i = 0; i < COUNT; i++) {
    const text = address(sha256(new TextEncoder().encode(`weir lookalike ${name} ${i}`)));
    const one = text as CanonicalAddress;
    const { constantPrefix, shapes } = formatOf(family, one);
    for (const { prefix, suffix } of shapes) {
      const tail = suffix === 0 ? "" : text.slice(-suffix);
      const key = `${prefix}|${text.slice(0, constantPrefix + prefix)}|${tail}`;
      const other = byEnds.get(key);
      byEnds.set(key, one);
      if (other === undefined || lookalike(family, one, other) === undefined) continue;
      const joined = new Set([...(groups.get(other) ?? [other]), ...(groups.get(one) ?? [one])]);
      for (const member of joined) groups.set(member, joined);
    }
  }
  const found = [...new Set(groups.values())].map((group) => [...group]);
  for (const member of found.flat()) if (!parseAddress(family, member).ok) throw new Error(`invalid: ${member}`);
  const larger = found.filter((group) => group.length > 2).slice(0, LARGER);
  return [...larger, ...found.filter((group) => group.length === 2).slice(0, PAIRS)];
}

const rows = formats.map((format) => {
  const groups = groupsOf(format).map((group) => `    [${group.map((address) => `"${address}"`).join(", ")}],`);
  process.stdout.write(`${format.name} ${groups.length}\n`);
  return `  ${format.name}: [\n${groups.join("\n")}\n  ],`;
});

const text = `/** Printed by tools/make/make-test-lookalikes.ts: of each group every address resembles another one; they are nobody's. */
export const lookalikeGroups = {
${rows.join("\n")}
} as const satisfies Record<string, readonly (readonly string[])[]>;
`;
writeFileSync(path.resolve(import.meta.dirname, "..", "..", "test", "fixtures", "lookalikes.generated.ts"), text);
