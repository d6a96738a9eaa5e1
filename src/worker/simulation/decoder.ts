import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";

/** The program that deploys and upgrades programs. Source: Solana, bpf_loader_upgradeable::ID. */
export const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";

/**
 * The accounts that one transaction locks, in base58. What they hold is everything by which a transaction can change
 * what another one finds, with two exceptions that no list of names can show; each has a flag.
 */
export interface AccountLocks {
  /** Who pays the fee: the first account of a compiled message. */
  readonly feePayer: string;
  /** Every account that the transaction may write, the fee payer among them. */
  readonly writable: readonly string[];
  /** Every account that it names at all: the writable ones, those it reads, and the programs. */
  readonly named: readonly string[];
  /** Further accounts stand in tables on the chain, so the two lists are not complete. */
  readonly usesLookupTables: boolean;
  /**
   * The upgradeable loader is among those named, as the program of an instruction or as an account: a program that
   * calls another one must be given it. An upgrade changes what every caller of the program runs, and a caller names
   * the program, not the account that holds its code.
   */
  readonly callsUpgradeableLoader: boolean;
}

/** Reads the locks of transactions, serialized or structured. */
export interface SolanaDecoder {
  /** The locks of `transaction`, or undefined when they cannot be known. Never throws. */
  locksOf(transaction: SolanaTransaction): AccountLocks | undefined;
}
