import type { SimulationFindingName } from "../../../api/schemas/solana-findings.ts";
import type { Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { readTokenAccount, type TokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import type { TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import type { InstructionCall } from "../called.ts";
import type { Simulation } from "../simulator.ts";

/** One thing that a transaction does or is, beyond the balances that it changes. */
export interface SolanaFinding {
  readonly name: SimulationFindingName;
  readonly description: string;
  /** The account, mint or program that the finding is about. */
  readonly account?: string;
  /** The address that may act on the account after the transaction. */
  readonly gains?: string;
}

/** All facts about one transaction that rules may read. */
export interface SolanaFacts {
  readonly feePayer: string;
  /**
   * The signers, the fee payer first, and the shared accounts that the signers sign for. No other address has agreed to
   * the transaction.
   */
  readonly signers: ReadonlySet<string>;
  readonly calls: readonly InstructionCall[];
  /**
   * Maps each account that is derived by a seed to the address that it is derived from. The base address may move what
   * the account holds.
   */
  readonly derived: ReadonlyMap<string, string>;
  readonly simulation: Simulation;
  readonly changes: readonly TokenChanges[];
  /** True when labels vouch for the address as an exchange, a bridge, a protocol or a token. */
  readonly isLabelled: (address: string) => boolean;
  /** True when labels vouch for the address as a protocol or a bridge. Users choose such delegates on purpose. */
  readonly isService: (address: string) => boolean;
  /** True when labels accuse the address, by the kind of the label or by a high risk. */
  readonly isListed: (address: string) => boolean;
  /** Lists the accused addresses that occur at any position in the bytes. */
  readonly listedWithin: (bytes: Uint8Array) => readonly string[];
  /** The symbol of a token that labels vouch for. */
  readonly tokenName: (mint: string) => string | undefined;
}

/** Derives findings from the facts of one transaction. */
export type SolanaRule = (facts: SolanaFacts) => readonly SolanaFinding[];

/** Reads the token account at `address`. Undefined when the address holds no token account. */
export function tokenAccountAt(accounts: Accounts, address: string): TokenAccount | undefined {
  const account = accounts.get(address);
  return account === undefined ? undefined : readTokenAccount(account);
}
