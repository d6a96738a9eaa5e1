import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import { parseAddress } from "../../chains/address.ts";
import { type AccountLocks, type SolanaDecoder, UPGRADEABLE_LOADER } from "./decoder.ts";

/** A message refers to its accounts by one byte. Source: Solana, "Transaction format". */
const MAX_ACCOUNTS = 256;

/**
 * Adds structured transactions to the ones that `serialized` reads, because they state their locks themselves. An
 * account that is writable in one instruction is writable in all instructions.
 */
export function withStructured(serialized: SolanaDecoder): SolanaDecoder {
  return {
    locksOf: (transaction) =>
      transaction.transaction === undefined ? structuredLocks(transaction) : serialized.locksOf(transaction),
  };
}

function structuredLocks({ feePayer, instructions }: SolanaTransaction): AccountLocks | undefined {
  if (feePayer === undefined || instructions === undefined) return undefined;
  const keys = instructions.flatMap((instruction) => instruction.keys);
  const writable = new Set([feePayer, ...keys.filter((key) => key.isWritable).map((key) => key.pubkey)]);
  const programs = instructions.map(({ programId }) => programId);
  const named = new Set([...writable, ...keys.map((key) => key.pubkey), ...programs]);
  // A key that is no address may have several readings, so two spellings of one account would look different.
  if (named.size > MAX_ACCOUNTS || ![...named].every(isAddress)) return undefined;
  return {
    feePayer,
    writable: [...writable],
    named: [...named],
    usesLookupTables: false,
    callsUpgradeableLoader: named.has(UPGRADEABLE_LOADER),
  };
}

function isAddress(text: string): boolean {
  return parseAddress("solana", text).ok;
}
