import { base58 } from "@scure/base";
import type { SolanaTransaction } from "../../../src/api/schemas/solana-emulate.ts";
import { type AccountLocks, type SolanaDecoder, UPGRADEABLE_LOADER } from "../../../src/worker/simulation/decoder.ts";

/** The `n`-th of a series of distinct addresses. */
export function account(n: number): string {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, n + 1);
  return base58.encode(bytes);
}

/** The real effect of a transaction. Its written form may show less. */
export interface Effect {
  readonly payer: string;
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly program: string;
  /** A program with code that the transaction replaces. */
  readonly upgrades?: string;
  /** Written accounts that only lookup tables name. */
  readonly hidden?: readonly string[];
  readonly fails?: boolean;
  readonly form: "structured" | "serialized" | "undecodable";
}

export const plain = (payer: number, writes: readonly number[] = [], reads: readonly number[] = []): Effect => ({
  payer: account(payer),
  writes: writes.map(account),
  reads: reads.map(account),
  program: account(1_000_000),
  form: "structured",
});

/** Makes transactions of effects, decodes the serialized ones, and returns the effect of each. */
export class Transactions implements SolanaDecoder {
  readonly #effects: Effect[] = [];

  make(effect: Effect): SolanaTransaction {
    const id = String(this.#effects.push(effect) - 1);
    if (effect.form !== "structured") return { transaction: id, encoding: "base64" };
    const key = (pubkey: string, isWritable: boolean) => ({ pubkey, isWritable, isSigner: false });
    const keys = [
      ...effect.writes.map((pubkey) => key(pubkey, true)),
      ...effect.reads.map((pubkey) => key(pubkey, false)),
    ];
    const upgrade = [effect.upgrades ?? []].flat().map((program) => ({
      programId: UPGRADEABLE_LOADER,
      keys: [key(program, true)],
    }));
    const instructions = [{ programId: effect.program, keys, data: id }, ...upgrade];
    return { encoding: "base64", feePayer: effect.payer, instructions };
  }

  effectOf({ transaction, instructions }: SolanaTransaction): Effect {
    const effect = this.#effects[Number(transaction ?? instructions?.[0]?.data)];
    if (effect === undefined) throw new Error("the test made no such transaction");
    return effect;
  }

  locksOf(transaction: SolanaTransaction): AccountLocks | undefined {
    const { form, payer, writes, reads, program, upgrades, hidden } = this.effectOf(transaction);
    if (form === "undecodable") return undefined;
    const writable = [payer, ...writes, ...(upgrades === undefined ? [] : [upgrades])];
    return {
      feePayer: payer,
      writable,
      named: [...writable, ...reads, program, ...(upgrades === undefined ? [] : [UPGRADEABLE_LOADER])],
      usesLookupTables: hidden !== undefined,
      callsUpgradeableLoader: upgrades !== undefined,
    };
  }
}
