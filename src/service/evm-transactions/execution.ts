import type { CanonicalAddress } from "../../chains/address.ts";

/** What changes hands: a coin, units of a token, or an item. `token` stands for ones that do not say which they are. */
export type Standard = "native" | "erc20" | "erc721" | "erc1155" | "token";

/** What an account has more or less of afterwards, raw units or items; fees are not counted. */
export interface BalanceChange {
  readonly account: CanonicalAddress;
  readonly standard: Standard;
  /** The contract that keeps it; undefined for the native coin. */
  readonly token: CanonicalAddress | undefined;
  /** Which item of ERC-721 or ERC-1155. */
  readonly id: bigint | undefined;
  /** Never 0. */
  readonly change: bigint;
  /** What the account had; undefined where nobody tells. */
  readonly before: bigint | undefined;
}

/** A right to take somebody's tokens that was given while a transaction ran. */
export interface Grant {
  readonly token: CanonicalAddress;
  readonly giver: CanonicalAddress;
  readonly spender: CanonicalAddress;
  /** Raw units, or an item; undefined for all of a collection. */
  readonly amount: bigint | undefined;
}

/** What a transaction did when it was run without being sent. */
export type EvmExecution =
  | {
      readonly ended: "done";
      /** Of the sender, and of accounts that he acts by. */
      readonly changes: readonly BalanceChange[];
      readonly grants: readonly Grant[];
      /** Whoever got something of theirs, as contracts wrote it down. */
      readonly paid: readonly CanonicalAddress[];
      /**
       * What was seen of it: everything; the balances of all contracts that it touches, and so neither rights nor single
       * items; or those of tokens that its calldata names.
       */
      readonly seen: "all" | "balances" | "named";
    }
  | { readonly ended: "failed"; readonly reason: string }
  | { readonly ended: "unclear"; readonly reason: string };
