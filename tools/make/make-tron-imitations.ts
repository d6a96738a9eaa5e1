/**
 * Writes test/fixtures/tron/imitations.generated.ts: for each party of the everyday TRON transactions an address with
 * its first and its last three characters. The addresses come from SHA-256 of counted names, so they have no known
 * owner. A second run writes the same bytes.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { namedParties } from "../../test/fixtures/tron/everyday.ts";

const base58check = createBase58check(sha256);
/** The leading bytes that determine T and the next three characters. */
const KEPT_BYTES = 4;
const ENDINGS = 58 ** 3;

/** The number that the last three characters spell. */
function endingOf(bytes: Uint8Array): number {
  let rest = 0;
  for (const byte of bytes) rest = (rest * 256 + byte) % ENDINGS;
  return rest;
}

function withChecksum(payload: Uint8Array): Uint8Array {
  return Uint8Array.from([...payload, ...sha256(sha256(payload)).subarray(0, 4)]);
}

function imitationOf(address: CanonicalAddress): string {
  const payload = base58check.decode(address);
  const ending = endingOf(withChecksum(payload));
  for (let i = 0; ; i++) {
    const own = sha256(new TextEncoder().encode(`weir imitation of ${address} ${i}`));
    const tried = Uint8Array.from([...payload.subarray(0, KEPT_BYTES), ...own.subarray(0, 21 - KEPT_BYTES)]);
    if (endingOf(withChecksum(tried)) !== ending) continue;
    const text = base58check.encode(tried);
    if (lookalike("tron", address, text as CanonicalAddress) !== undefined) return text;
  }
}

const rows = Object.entries(namedParties).map(([name, address]) => `  "${name}": "${imitationOf(address)}",`);
const text = `/** Printed by tools/make/make-tron-imitations.ts: lookalikes of the parties in everyday.ts, of no known owner. */
export const imitations: Readonly<Record<string, string>> = {
${rows.join("\n")}
};
`;
writeFileSync(
  path.resolve(import.meta.dirname, "..", "..", "test", "fixtures", "tron", "imitations.generated.ts"),
  text,
);
