/** An instruction with its accounts by name; undefined for one in a table that nobody could read. */
export interface Instruction {
  readonly program: string;
  readonly accounts: readonly (string | undefined)[];
  readonly data: Uint8Array;
}

/** Who may do what to a token account or a mint. Source: SPL Token and Token-2022, AuthorityType. */
export type TokenRole = "mint" | "freeze" | "owner" | "close" | "extension";

/**
 * What an instruction does that no balance shows: who may act on an account from now on. `account` is the account that it
 * is done to, `authority` who had the say so far, `to` who has it from now on.
 */
export type Act =
  | { readonly kind: "assign"; readonly account: string; readonly to: string }
  | { readonly kind: "nonce_advance"; readonly account: string }
  | { readonly kind: "nonce_authorize"; readonly account: string; readonly authority: string; readonly to: string }
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
      readonly authority: string;
      readonly to: string;
    }
  | {
      readonly kind: "upgrade_authority";
      readonly account: string;
      readonly authority: string;
      readonly to: string | undefined;
    }
  | { readonly kind: "upgrade"; readonly account: string };
