/**
 * An instruction with its accounts by address. An account is undefined when it stands in a lookup table that could not
 * be read.
 */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Uint8Array;
}

/** The kind of authority over a token account or a mint. Source: SPL Token and Token-2022, AuthorityType. */
export type TokenRole = "mint" | "freeze" | "owner" | "close" | "extension";

/**
 * An effect of an instruction that balances do not show: a changed authority, or a payment by an authority. `account`
 * is the affected account. `to` is the new authority or the recipient. `authority` is the previous authority, where the
 * program accepts it at one index only. Stake, vote and nonce programs accept any signer, so their acts have no
 * `authority`.
 */
export type Act =
  | {
      readonly kind: "assign";
      readonly account: string;
      readonly to: string;
      /** The signer for an account with an address that is derived from the signer's address by a seed. */
      readonly base?: string | undefined;
    }
  | { readonly kind: "allocate"; readonly account: string; readonly base?: string | undefined }
  | { readonly kind: "nonce_initialize"; readonly account: string; readonly to: string }
  | { readonly kind: "nonce_advance"; readonly account: string }
  | { readonly kind: "nonce_authorize"; readonly account: string; readonly to: string }
  | {
      readonly kind: "withdraw";
      readonly of: "durable nonce" | "stake" | "vote account" | "derived account" | "token account" | "lookup table";
      readonly account: string;
      readonly to: string;
      /** Undefined means the whole balance above the rent. */
      readonly lamports: bigint | undefined;
      readonly base?: string | undefined;
    }
  | {
      readonly kind: "token_authority";
      readonly role: TokenRole;
      readonly account: string;
      readonly authority: string;
      /** Undefined when the authority is given up for good. */
      readonly to: string | undefined;
    }
  | {
      readonly kind: "approve";
      readonly account: string;
      readonly authority: string;
      readonly to: string;
      readonly amount: bigint;
    }
  | {
      readonly kind: "close";
      readonly of: "tokens" | "code";
      readonly account: string;
      readonly authority: string;
      readonly to: string;
    }
  | {
      readonly kind: "stake_authorize";
      readonly of: "stake" | "vote account";
      readonly role: "staker" | "voter" | "withdrawer";
      readonly account: string;
      readonly to: string;
    }
  | {
      readonly kind: "lockup";
      readonly account: string;
      /** Undefined members stay unchanged. */
      readonly untilSec: bigint | undefined;
      readonly untilEpoch: bigint | undefined;
      readonly custodian: string | undefined;
    }
  | {
      readonly kind: "vote_change";
      readonly what: "identity" | "collector of its earnings" | "commission";
      readonly account: string;
      /** The new holder of the right. Undefined for a rate. */
      readonly to: string | undefined;
    }
  | {
      readonly kind: "upgrade_authority";
      readonly account: string;
      readonly authority: string;
      readonly to: string | undefined;
    }
  | { readonly kind: "upgrade"; readonly account: string };
