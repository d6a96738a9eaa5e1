import type { Act } from "../../../chains/solana/act.ts";
import { actsOf } from "../../../chains/solana/acts-of.ts";
import { programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import type { Call } from "../called.ts";
import { approval } from "./approval.ts";
import { type Facts, type Finding, type Finds, tokenAccountAt } from "./facts.ts";

/**
 * What instructions say: who may act on an account from now on. What a program does with its own accounts is its own
 * business, so of inner instructions those count in which somebody who signs takes part.
 */
export const authorityFindings: Finds = (facts) =>
  facts.calls
    .filter((call) => !call.isInner || takesPart(call, facts))
    .flatMap(actsOf)
    .flatMap((act) => findingOf(act, facts) ?? []);

function takesPart({ accounts }: Call, { signers }: Facts): boolean {
  return accounts.some((account) => account !== undefined && signers.has(account));
}

function findingOf(act: Act, facts: Facts): Finding | undefined {
  const { account } = act;
  switch (act.kind) {
    case "assign":
      return assigned(account, act.to, facts);
    case "nonce_advance":
      return undefined;
    case "nonce_authorize":
      return handedOver("nonce_authority_changed", "the durable nonce", act);
    case "token_authority":
      return tokenAuthority(act);
    case "approve":
      return approval(act, facts);
    case "close":
      return closed(act, facts);
    case "stake_authorize":
      return handedOver("stake_authority_changed", `the ${act.of}, as its ${act.role},`, act);
    case "upgrade_authority":
      return handedOver("upgrade_authority_changed", "the program's code", act);
    case "upgrade":
      return { name: "program_upgraded", account, description: `replaces the code of the program ${account}` };
  }
}

/** The account of somebody who signs, and that was there before: a fresh one is made in just this way. */
function assigned(account: string, to: string, { signers, feePayer, simulation }: Facts): Finding | undefined {
  const existed = account === feePayer || (simulation.before.get(account)?.lamports ?? 0n) > 0n;
  if (!signers.has(account) || !existed || to === programs.system) return undefined;
  const description = `gives the account ${account}, with all that it holds, to the program ${to}`;
  return { name: "account_owner_changed", account, gains: to, description };
}

type Handover = Extract<Act, { readonly to: string | undefined; readonly authority: string }>;

function handedOver(name: Finding["name"], what: string, { account, authority, to }: Handover): Finding | undefined {
  if (to === authority) return undefined;
  if (to === undefined)
    return { name, account, description: `${what} of ${account} can be changed by nobody any more` };
  return { name, account, gains: to, description: `${what} of ${account} goes from ${authority} to ${to}` };
}

const tokenRoles = {
  owner: { name: "token_owner_changed", what: "the token account" },
  close: { name: "token_close_authority_changed", what: "the right to close the token account" },
  mint: { name: "token_authority_changed", what: "the right to mint" },
  freeze: { name: "token_authority_changed", what: "the right to freeze accounts" },
  extension: { name: "token_authority_changed", what: "a right over the token" },
} as const;

/** A right that is given up for good is nobody's danger. */
function tokenAuthority(act: Extract<Act, { kind: "token_authority" }>): Finding | undefined {
  const { name, what } = tokenRoles[act.role];
  return act.to === undefined ? undefined : handedOver(name, what, act);
}

/**
 * A closed account's lamports are its owner's; whoever pays for the transaction may have lent the rent. Of wrapped SOL the
 * lamports are the money itself, and code takes more than anybody lends.
 */
function closed({ account, authority, to, of }: Extract<Act, { kind: "close" }>, facts: Facts): Finding | undefined {
  const held = tokenAccountAt(facts.simulation.before, account);
  const isMoney = of === "code" || (held?.mint === WRAPPED_SOL && held.amount > 0n);
  if (to === authority || to === held?.owner || (to === facts.feePayer && !isMoney)) return undefined;
  const description = `closes the account ${account} and pays what it holds to ${to}`;
  return { name: "account_closed_to_stranger", account, gains: to, description };
}
