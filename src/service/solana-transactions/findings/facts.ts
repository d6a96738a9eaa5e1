import type { SimulationFindingName } from "../../../api/schemas/solana-findings.ts";
import type { Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { readTokenAccount, type TokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import type { TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import type { InstructionCall } from "../called.ts";
import type { Simulation } from "../simulator.ts";

/** One thing that a transaction does, or is, beyond the balances that it changes. */
export interface SolanaFinding {
  readonly name: SimulationFindingName;
  readonly description: string;
  /** What it is about: an account, a mint or a program. */
  readonly account?: string;
  /** Who may act on it from now on. */
  readonly gains?: string;
}

/** Everything that findings may ask about one transaction. */
export interface SolanaFacts {
  readonly feePayer: string;
  /** Who signs, the fee payer first, and the shared accounts for which they do. Nobody else has agreed to anything. */
  readonly signers: ReadonlySet<string>;
  readonly calls: readonly InstructionCall[];
  /** Accounts whose addresses are derived from somebody's by a seed, by which he moves what they hold: whose each is. */
  readonly derived: ReadonlyMap<string, string>;
  readonly simulation: Simulation;
  readonly changes: readonly TokenChanges[];
  /** Whether labels vouch for the address as an exchange, a bridge, a protocol or a token. */
  readonly isLabelled: (address: string) => boolean;
  /** Whether labels vouch for the address as a protocol or a bridge: a delegate that people mean to have. */
  readonly isService: (address: string) => boolean;
  /** Whether labels accuse the address: by their kind, or by a high risk. */
  readonly isListed: (address: string) => boolean;
  /** Addresses that labels accuse and that stand in bytes at whatever place. */
  readonly listedWithin: (bytes: Uint8Array) => readonly string[];
  /** The symbol of a token that labels vouch for. */
  readonly tokenName: (mint: string) => string | undefined;
}

/** From facts to what they mean. */
export type SolanaRule = (facts: SolanaFacts) => readonly SolanaFinding[];

/** The token account at `address`, if it is one. */
export function tokenAccountAt(accounts: Accounts, address: string): TokenAccount | undefined {
  const account = accounts.get(address);
  return account === undefined ? undefined : readTokenAccount(account);
}
