import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";

/** The program that deploys and upgrades programs. Source: Solana, bpf_loader_upgradeable::ID. */
export const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111";

/**
 * The accounts that one transaction locks, in base58. A transaction can influence another one only through these
 * accounts. There are two exceptions that no list of names can show, and each has a flag.
 */
export interface AccountLocks {
  /** The account that pays the fee: the first account of a compiled message. */
  readonly feePayer: string;
  /** Every account that the transaction may write, including the fee payer. */
  readonly writable: readonly string[];
  /** Every account that the transaction names: the writable ones, the read ones, and the programs. */
  readonly named: readonly string[];
  /** Further accounts are in lookup tables on the chain, so both lists are incomplete. */
  readonly usesLookupTables: boolean;
  /**
   * Whether the transaction names the upgradeable loader, as a program or as an account. A program that calls the
   * loader must receive it as an account. An upgrade changes the code that every caller of the program runs. A caller
   * names only the program, not the account with its code.
   */
  readonly callsUpgradeableLoader: boolean;
}

/** Reads the locks of serialized or structured transactions. */
export interface SolanaDecoder {
  /** The locks of `transaction`. Undefined when they cannot be determined. Never throws. */
  locksOf(transaction: SolanaTransaction): AccountLocks | undefined;
}
