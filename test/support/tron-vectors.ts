import { readFileSync } from "node:fs";
import type { ClaimedBytes } from "../../src/chains/tron/message/integrity.ts";
import { parseExact } from "../../src/kernel/json.ts";

export interface TronVector {
  readonly name: string;
  /** The transaction as the library built it, including txID and raw_data_hex. */
  readonly transaction: ClaimedBytes;
}

const file = new URL("../fixtures/tron-vectors.json", import.meta.url);

/** Transactions of every builder of tronweb; tools/make/make-tron-vectors.mjs wrote them. */
export const tronVectors: readonly TronVector[] = (
  parseExact(readFileSync(file, "utf8")) as { readonly vectors: readonly TronVector[] }
).vectors;

export function tronVector(name: string): ClaimedBytes {
  const found = tronVectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`no vector ${name}`);
  return found.transaction;
}
