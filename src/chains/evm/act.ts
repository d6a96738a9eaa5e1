import type { CanonicalAddress } from "../address.ts";

/** How a right is given: by the owner's call, or by his signature, which anybody may hand in. */
export type Means = "call" | "signature";

/**
 * What a transaction does, as its calldata says. Amounts are raw units, wei, or for an item its number; `token` is the
 * contract that keeps what moves. Amounts that are not written down, as a refund's, are undefined.
 */
export type EvmAct =
  | { readonly does: "pay"; readonly from: CanonicalAddress; readonly to: CanonicalAddress; readonly amount: bigint }
  | {
      readonly does: "transfer";
      readonly token: CanonicalAddress;
      readonly from: CanonicalAddress;
      readonly to: CanonicalAddress;
      readonly amount: bigint;
    }
  | {
      readonly does: "approve";
      readonly token: CanonicalAddress;
      readonly of: CanonicalAddress;
      readonly spender: CanonicalAddress;
      readonly amount: bigint;
      /** Whether it comes on top of what was approved before. */
      readonly adds: boolean;
      readonly by: Means;
    }
  | {
      readonly does: "approve_all";
      readonly token: CanonicalAddress;
      readonly of: CanonicalAddress;
      readonly spender: CanonicalAddress;
    }
  /** Takes back what was approved, or some of it. */
  | {
      readonly does: "revoke";
      readonly token: CanonicalAddress;
      readonly of: CanonicalAddress;
      readonly spender: CanonicalAddress;
      /** By `approve` of 0, which in a collection (ERC-721) gives item 0 instead: the calldata is the same. */
      readonly orGivesItem?: true;
      /** Whether calldata names the spender only once for this act and the one before, as a permit of several tokens does. */
      readonly sharesMention?: true;
    }
  | { readonly does: "give_ownership"; readonly contract: CanonicalAddress; readonly to: CanonicalAddress }
  /** A Safe pays whoever handed its transaction in; undefined is the native coin. */
  | {
      readonly does: "refund";
      readonly token: CanonicalAddress | undefined;
      readonly from: CanonicalAddress;
      readonly to: CanonicalAddress;
    }
  /** An account lets this code act for it from now on. Source: EIP-7702. */
  | { readonly does: "delegate"; readonly to: CanonicalAddress };

/** A call whose effect its calldata does not tell, and why. */
export interface Unexplained {
  readonly contract: CanonicalAddress | undefined;
  readonly why: /** No signature that is known has its first four bytes, or there are fewer. */
    | "unknown_call"
    /** Its arguments are not those of its signature, or coins go with a function that takes none. */
    | "broken_call"
    /** Foreign code is run as if it were the account's own. */
    | "foreign_code"
    /** More calls, or deeper in one another, than are looked at. */
    | "too_much"
    /** Code that becomes a contract. */
    | "creation";
  /** 8 hex digits, fewer where there are fewer; empty where nothing is called. */
  readonly selector: string;
}
