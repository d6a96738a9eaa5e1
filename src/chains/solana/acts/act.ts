/** An instruction with its accounts by name; undefined for one in a table that nobody could read. */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Uint8Array;
}

/** Who may do what to a token account or a mint. Source: SPL Token and Token-2022, AuthorityType. */
export type TokenRole = "mint" | "freeze" | "owner" | "close" | "extension";

/**
 * What an instruction does that balances do not tell: who may act on an account from now on, and by whose right it pays.
 * `account` is the account that it is done to, `to` who has the say from now on, or is paid. `authority` is who had it so
 * far, where the program looks for him in his place and nowhere else: those of stakes, votes and nonces take any signer.
 */
export type Act =
  | {
      readonly kind: "assign";
      readonly account: string;
      readonly to: string;
      /** Who signs for an account whose address is derived from his by a seed. */
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
      /** Whatever is beyond the rent when undefined. */
      readonly lamports: bigint | undefined;
      readonly base?: string | undefined;
    }
  | {
      readonly kind: "token_authority";
      readonly role: TokenRole;
      readonly account: string;
      readonly authority: string;
      /** Nobody, for ever, when undefined. */
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
      /** What stays as it is when undefined. */
      readonly untilSec: bigint | undefined;
      readonly untilEpoch: bigint | undefined;
      readonly custodian: string | undefined;
    }
  | {
      readonly kind: "vote_change";
      readonly what: "identity" | "collector of its earnings" | "commission";
      readonly account: string;
      /** Who gets what was somebody else's; undefined for a rate. */
      readonly to: string | undefined;
    }
  | {
      readonly kind: "upgrade_authority";
      readonly account: string;
      readonly authority: string;
      readonly to: string | undefined;
    }
  | { readonly kind: "upgrade"; readonly account: string };
