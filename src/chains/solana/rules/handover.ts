import type { Act } from "../acts/act.ts";

type RightName =
  | "nonce_authority_changed"
  | "stake_authority_changed"
  | "upgrade_authority_changed"
  | "vote_account_changed"
  | "token_owner_changed"
  | "token_close_authority_changed"
  | "token_authority_changed";

/** A right that goes from one address to another. */
export interface HandoverFinding {
  readonly name: RightName;
  readonly account: string;
  readonly gains?: string;
  readonly description: string;
}

interface Handover {
  readonly account: string;
  readonly authority: string;
  readonly to: string | undefined;
}

/** The finding on a right that goes from one address to another. */
export function handedOver(
  name: RightName,
  what: string,
  { account, authority, to }: Handover,
): HandoverFinding | undefined {
  if (to === authority) return undefined;
  if (to === undefined) return { name, account, description: `${what} of ${account} can never be changed again` };
  return { name, account, gains: to, description: `${what} of ${account} goes from ${authority} to ${to}` };
}

const tokenRoles = {
  owner: { name: "token_owner_changed", what: "the token account" },
  close: { name: "token_close_authority_changed", what: "the right to close the token account" },
  mint: { name: "token_authority_changed", what: "the right to mint" },
  freeze: { name: "token_authority_changed", what: "the right to freeze accounts" },
  extension: { name: "token_authority_changed", what: "a right over the token" },
} as const;

/** An authority that is given up for good is no danger to holders. */
export function tokenHandover(act: Extract<Act, { kind: "token_authority" }>): HandoverFinding | undefined {
  const { name, what } = tokenRoles[act.role];
  return act.to === undefined ? undefined : handedOver(name, what, act);
}

/** The finding on a change of the authority that may replace a program's code. */
export function upgradeHandover(act: Extract<Act, { kind: "upgrade_authority" }>): HandoverFinding | undefined {
  return handedOver("upgrade_authority_changed", "the program's code", act);
}
