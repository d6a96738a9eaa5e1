/**
 * Writes src/worker/batching/calibration/canary-pairs.generated.ts. For each address format it has pairs of valid
 * addresses. The ends of a pair agree by exactly one shape of chains/lookalike.ts, or by one character less. All
 * addresses come from SHA-256 of counted names, so they have no known owner. A second run writes the same bytes.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { base58, bech32, createBase58check, hex } from "@scure/base";
import { parseAddress } from "../../src/chains/address.ts";
import { formatOf, orLooser, type Shape } from "../../src/chains/address-format.ts";
import type { Family } from "../../src/chains/chain.ts";
import { overlap } from "../../src/chains/lookalike.ts";
import { batchPositions } from "../../src/worker/batching/canary.ts";

const base58check = createBase58check(sha256);
const bytesOf = (name: string, i: number) => sha256(new TextEncoder().encode(`weir canary ${name} ${i}`));

const formats: readonly { name: string; family: Family; address: (bytes: Uint8Array) => string }[] = [
  { name: "evm", family: "evm", address: (bytes) => `0x${hex.encode(bytes.subarray(0, 20))}` },
  {
    name: "tron",
    family: "tron",
    address: (bytes) => base58check.encode(Uint8Array.of(0x41, ...bytes.subarray(0, 20))),
  },
  { name: "solana", family: "solana", address: (bytes) => base58.encode(bytes) },
  {
    name: "bitcoin-base58",
    family: "bitcoin",
    address: (bytes) => base58check.encode(Uint8Array.of(0, ...bytes.subarray(0, 20))),
  },
  {
    name: "bitcoin-bech32",
    family: "bitcoin",
    address: (bytes) => bech32.encode("bc", [0, ...bech32.toWords(bytes.subarray(0, 20))]),
  },
];

function pairOf(format: (typeof formats)[number], shape: Shape, place: string): readonly [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; i < 400_000; i++) {
    const parsed = parseAddress(
      format.family,
      format.address(bytesOf(`${format.name} ${shape.prefix}+${shape.suffix} ${place}`, i)),
    );
    if (!parsed.ok) throw new Error(parsed.detail);
    const address = parsed.value;
    const { constantPrefix } = formatOf(format.family, address);
    const key =
      address.slice(0, constantPrefix + shape.prefix) + (shape.suffix === 0 ? "" : address.slice(-shape.suffix));
    const other = seen.get(key);
    seen.set(key, address);
    if (other === undefined) continue;
    const user = parseAddress(format.family, other);
    if (!user.ok) throw new Error(user.detail);
    const found = overlap(format.family, user.value, address);
    if (found.prefix === shape.prefix && found.suffix === shape.suffix) return [other, address];
  }
  throw new Error(`no pair of ${format.name} for ${shape.prefix}+${shape.suffix}`);
}

const rows = formats.flatMap((format) => {
  const sample = parseAddress(format.family, format.address(bytesOf(format.name, 0)));
  if (!sample.ok) throw new Error(sample.detail);
  const shapes = new Map(
    formatOf(format.family, sample.value)
      .shapes.flatMap(orLooser)
      .map((s) => [`${s.prefix}+${s.suffix}`, s]),
  );
  return [...shapes.values()].flatMap((shape) =>
    batchPositions.map((place) => {
      const [user, target] = pairOf(format, shape, place);
      process.stdout.write(`${format.name} ${shape.prefix}+${shape.suffix} ${place}\n`);
      return `  { family: "${format.family}", place: "${place}", prefix: ${shape.prefix}, suffix: ${shape.suffix}, user: "${user}", target: "${target}" },`;
    }),
  );
});

const text = `/** Printed by tools/make/make-canaries.ts: addresses of nobody, whose ends agree by exactly the numbers given. */
export const canaryPairs = [
${rows.join("\n")}
] as const;
`;
writeFileSync(
  path.resolve(
    import.meta.dirname,
    "..",
    "..",
    "src",
    "worker",
    "batching",
    "calibration",
    "canary-pairs.generated.ts",
  ),
  text,
);
