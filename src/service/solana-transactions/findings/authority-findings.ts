import { nonceAuthorityOf } from "../../../chains/solana/accounts/nonce-account.ts";
import { stakerOf, withdrawerOf } from "../../../chains/solana/accounts/stake-account.ts";
import { voteIdentityOf, voteWithdrawerOf } from "../../../chains/solana/accounts/vote-account.ts";
import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { programs } from "../../../chains/solana/programs.ts";
import { handedOver, tokenHandover, upgradeHandover } from "../../../chains/solana/rules/handover.ts";
import type { InstructionCall } from "../called.ts";
import { approval } from "./approval.ts";
import { closed, withdrawn } from "./closed-accounts.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { changedLockup } from "./lockup.ts";

/**
 * What instructions say: who may act on an account from now on. What a program does with its own accounts is its own
 * business, so of inner instructions those count in which somebody who signs takes part.
 */
export const authorityFindings: SolanaRule = (facts) =>
  facts.calls
    .filter((call) => !call.isInner || takesPart(call, facts))
    .flatMap(actsOf)
    .flatMap((act) => findingOf(act, facts) ?? []);

function takesPart({ accounts }: InstructionCall, { signers }: SolanaFacts): boolean {
  return accounts.some((account) => account !== undefined && signers.has(account));
}

function findingOf(act: Act, facts: SolanaFacts): SolanaFinding | undefined {
  const { account } = act;
  switch (act.kind) {
    case "assign":
      return assigned(account, act.to, act.base, facts);
    case "allocate":
      return allocated(account, act.base, facts);
    case "nonce_initialize":
      return initialized(account, act.to, facts);
    case "nonce_advance":
      return undefined;
    case "nonce_authorize":
      return authorized("nonce_authority_changed", "the durable nonce", act, nonceAuthorityOf, facts);
    case "token_authority":
      return tokenHandover(act);
    case "approve":
      return approval(act, facts);
    case "close":
      return closed(act, facts);
    case "withdraw":
      return withdrawn(act, facts);
    case "stake_authorize": {
      const { of, role } = act;
      return authorized("stake_authority_changed", `the ${of}, as its ${role},`, act, roles[of][role], facts);
    }
    case "lockup":
      return changedLockup(act, facts);
    case "vote_change":
      return voteChange(act, facts);
    case "upgrade_authority":
      return upgradeHandover(act);
    case "upgrade":
      return { name: "program_upgraded", account, description: `replaces the code of the program ${account}` };
  }
}

/**
 * Whether somebody who signs has had the account with what it holds: by its own key, or by that which its address is
 * derived from. A fresh one is made in just the ways in which one that holds money is taken.
 */
function isFunded(account: string, base: string | undefined, { signers, feePayer, simulation }: SolanaFacts): boolean {
  const isOwn = signers.has(account) || (base !== undefined && signers.has(base));
  return isOwn && (account === feePayer || (simulation.before.get(account)?.lamports ?? 0n) > 0n);
}

function assigned(
  account: string,
  to: string,
  base: string | undefined,
  facts: SolanaFacts,
): SolanaFinding | undefined {
  if (!isFunded(account, base, facts) || to === programs.system) return undefined;
  const description = `gives the account ${account}, with all that it holds, to the program ${to}`;
  return { name: "account_owner_changed", account, gains: to, description };
}

/** A wallet with space in it pays nobody any more, and whoever comes first makes it his durable nonce: that takes no signature. */
function allocated(account: string, base: string | undefined, facts: SolanaFacts): SolanaFinding | undefined {
  return isFunded(account, base, facts) ? madeOver(account) : undefined;
}

/** What is said of a wallet that gets space, by an instruction or by what it shows afterwards. */
export function madeOver(account: string): SolanaFinding {
  const description = `takes the wallet ${account} out of its owner's hands: it gets space, by which anybody may make it his durable nonce`;
  return { name: "account_allocated", account, description };
}

function initialized(account: string, to: string, facts: SolanaFacts): SolanaFinding | undefined {
  return isFunded(account, undefined, facts) && to !== account ? nonceOf(account, to) : undefined;
}

function nonceOf(account: string, to: string): SolanaFinding {
  const description = `makes the account ${account}, with all that it holds, a durable nonce of ${to}`;
  return { name: "nonce_authority_changed", account, gains: to, description };
}

const roles = {
  stake: { staker: stakerOf, withdrawer: withdrawerOf, voter: withdrawerOf },
  "vote account": { staker: voteWithdrawerOf, withdrawer: voteWithdrawerOf, voter: voteWithdrawerOf },
} as const;

/**
 * These programs look for the authority among all who sign, wherever an instruction names them, so that its place may hold
 * anybody: who has the say is read from the account. Of one that is made here nobody but who pays for it has had it.
 */
function authorized(
  name: Parameters<typeof handedOver>[0],
  what: string,
  { account, to }: { readonly account: string; readonly to: string },
  holderOf: typeof withdrawerOf,
  { simulation, feePayer }: SolanaFacts,
): SolanaFinding | undefined {
  const state = simulation.before.get(account);
  const holder = (state === undefined ? undefined : holderOf(state)) ?? feePayer;
  return handedOver(name, what, { account, authority: holder, to });
}

/** Who produces blocks by a vote account, who is paid for it, and how much of what its stakers earn he keeps. */
function voteChange(
  { account, what, to }: Extract<Act, { kind: "vote_change" }>,
  { simulation }: SolanaFacts,
): SolanaFinding | undefined {
  const state = simulation.before.get(account);
  if (what === "identity" && state !== undefined && voteIdentityOf(state) === to) return undefined;
  const description = `changes the ${what} of the vote account ${account}${to === undefined ? "" : ` to ${to}`}`;
  return { name: "vote_account_changed", account, ...(to === undefined ? {} : { gains: to }), description };
}
