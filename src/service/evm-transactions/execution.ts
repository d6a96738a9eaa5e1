import type { CanonicalAddress } from "../../chains/address.ts";

/** The kind of an asset: a coin, units of a token, or an item. `token` stands for a token of unknown standard. */
export type Standard = "native" | "erc20" | "erc721" | "erc1155" | "token";

/** The change of an account's balance, in raw units or items. Fees are not counted. */
export interface BalanceChange {
  readonly account: CanonicalAddress;
  readonly standard: Standard;
  /** The contract of the token. Undefined for the native coin. */
  readonly token: CanonicalAddress | undefined;
  /** Id of an ERC-721 or ERC-1155 item. */
  readonly id: bigint | undefined;
  /** Never 0. */
  readonly change: bigint;
  /** The balance before the transaction. Undefined where it is unknown. */
  readonly before: bigint | undefined;
}

/** A right to take an owner's tokens that was given during the execution. */
export interface Grant {
  readonly token: CanonicalAddress;
  readonly giver: CanonicalAddress;
  readonly spender: CanonicalAddress;
  /** Raw units, or the id of an item. Undefined for all items of a collection. */
  readonly amount: bigint | undefined;
}

/** The outcome of a transaction that was executed without being sent. */
export type EvmExecution =
  | {
      readonly ended: "done";
      /** Changes of the sender and of the accounts that the sender acts through. */
      readonly changes: readonly BalanceChange[];
      readonly grants: readonly Grant[];
      /** Addresses that got something from these accounts, as contracts logged it. */
      readonly paid: readonly CanonicalAddress[];
      /**
       * How much of the execution was seen.
       *
       * - `all`: everything.
       * - `balances`: the balances of all touched contracts, but no approvals and no single items.
       * - `named`: the balances of the tokens that the calldata names.
       */
      readonly seen: "all" | "balances" | "named";
    }
  | { readonly ended: "failed"; readonly reason: string }
  | { readonly ended: "unclear"; readonly reason: string };
