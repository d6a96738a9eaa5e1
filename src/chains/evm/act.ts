import type { CanonicalAddress } from "../address.ts";

/** How the owner gives a right: by a call, or by a signature, which any account may submit. */
export type Means = "call" | "signature";

/**
 * An effect of a transaction, as its calldata says. Amounts are raw units, wei, or the number of an item. `token` is
 * the contract that keeps the moved asset. An amount that calldata does not state, such as the amount of a refund, is
 * undefined.
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
      /** Whether the amount is added to the earlier approval. */
      readonly adds: boolean;
      readonly by: Means;
    }
  | {
      readonly does: "approve_all";
      readonly token: CanonicalAddress;
      readonly of: CanonicalAddress;
      readonly spender: CanonicalAddress;
    }
  /** Revokes an approval, or a part of it. */
  | {
      readonly does: "revoke";
      readonly token: CanonicalAddress;
      readonly of: CanonicalAddress;
      readonly spender: CanonicalAddress;
      /** The call is `approve` of 0. In a collection (ERC-721) the same calldata approves item 0 instead. */
      readonly orGivesItem?: true;
      /**
       * Whether calldata names the spender only once for this act and the act before. A permit of several tokens does
       * that.
       */
      readonly sharesMention?: true;
    }
  | { readonly does: "give_ownership"; readonly contract: CanonicalAddress; readonly to: CanonicalAddress }
  /** From now on the module may act for the contract, or all calls of the contract pass it. */
  | { readonly does: "add_module"; readonly contract: CanonicalAddress; readonly to: CanonicalAddress }
  /**
   * A service pays the proceeds of the call to an account. `least` is the least amount of a trade. It is undefined
   * where the call is no trade, and where an earlier call of the transaction set the bound.
   */
  | {
      readonly does: "pay_out";
      readonly by: CanonicalAddress;
      readonly to: CanonicalAddress;
      readonly token: CanonicalAddress | undefined;
      readonly least: bigint | undefined;
    }
  /** An account needs fewer owners, or loses a guard. */
  | { readonly does: "weaken"; readonly contract: CanonicalAddress }
  /** A service hands the assets of the call to code that the call chooses. */
  | { readonly does: "hand_over"; readonly by: CanonicalAddress; readonly to: CanonicalAddress }
  /** A service pays an account of another chain, which the call names in that chain's own form. */
  | { readonly does: "pay_abroad"; readonly by: CanonicalAddress }
  /** A Safe refunds the account that submits its transaction. An undefined token is the native coin. */
  | {
      readonly does: "refund";
      readonly token: CanonicalAddress | undefined;
      readonly from: CanonicalAddress;
      readonly to: CanonicalAddress;
    }
  /** From now on an account lets this code act for it. Source: EIP-7702. */
  | { readonly does: "delegate"; readonly to: CanonicalAddress };

/** A call with an effect that its calldata does not tell, and the reason. */
export interface Unexplained {
  readonly contract: CanonicalAddress | undefined;
  readonly why: /** The first four bytes match no known signature, or there are fewer than four bytes. */
    | "unknown_call"
    /** The arguments do not fit the signature, or coins are sent to a function that takes none. */
    | "broken_call"
    /** Bytes of the call may order any further effect. */
    | "opaque_bytes"
    /** The function is that of services, and no label says that the contract is a service. */
    | "unlabelled_service"
    /** Foreign code runs with the rights of the account. */
    | "foreign_code"
    /** There are more calls, or deeper nested calls, than Weir reads. */
    | "too_much"
    /** The calldata is the code of a new contract. */
    | "creation";
  /** 8 hex digits. Fewer when the calldata is shorter, and empty when no function is called. */
  readonly selector: string;
}
