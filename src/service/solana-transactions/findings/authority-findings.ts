import { nonceAuthorityOf } from "../../../chains/solana/accounts/nonce-account.ts";
import { stakerOf, withdrawerOf } from "../../../chains/solana/accounts/stake-account.ts";
import { voteIdentityOf, voteWithdrawerOf } from "../../../chains/solana/accounts/vote-account.ts";
import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { programs } from "../../../chains/solana/programs.ts";
import { handedOver, tokenHandover, upgradeHandover } from "../../../chains/solana/rules/handover.ts";
import type { InstructionCall } from "../called.ts";
import { closed, withdrawn } from "./account-findings.ts";
import { escrowsOf, keptInEscrow } from "./escrow.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { changedLockup } from "./lockup.ts";
import { approval } from "./token-findings.ts";

/**
 * Reports instructions that change which address may act on an account. A program may do what it wants with its own
 * accounts. Therefore an inner instruction counts only when it names a signer.
 */
export const authorityFindings: SolanaRule = (facts) =>
  facts.calls
    .filter((call) => !call.isInner || takesPart(call, facts))
    .flatMap((call) => actsOf(call).flatMap((act) => findingOf(act, call, facts) ?? []));

function takesPart({ accounts }: InstructionCall, { signers }: SolanaFacts): boolean {
  return accounts.some((account) => account !== undefined && signers.has(account));
}

function findingOf(act: Act, { isInner }: InstructionCall, facts: SolanaFacts): SolanaFinding | undefined {
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
      return isInner && act.to !== undefined && escrowsOf(facts).get(account) === act.to
        ? keptInEscrow(act)
        : tokenHandover(act);
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
 * True when a signer controls the account and the account holds lamports. A signer controls it by the account's own
 * key, or by the key that the address is derived from. The balance matters because fresh accounts are made by the same
 * instructions that take over funded ones.
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

/**
 * A wallet with allocated space can no longer pay. The first stranger to act makes the wallet its durable nonce, which
 * takes no signature.
 */
function allocated(account: string, base: string | undefined, facts: SolanaFacts): SolanaFinding | undefined {
  return isFunded(account, base, facts) ? madeOver(account) : undefined;
}

/**
 * The finding for a wallet that gets space. Both the instruction and the state of the wallet afterwards can show it.
 */
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
 * The stake, vote and nonce programs look for the authority among all signers. An instruction may name any address in
 * the authority's position. Therefore the authority is read from the state of the account. An account that this
 * transaction creates has no state yet, so the fee payer counts as its authority.
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

/**
 * A vote account's settings decide which key produces blocks, which address is paid, and which commission stakers pay.
 */
function voteChange(
  { account, what, to }: Extract<Act, { kind: "vote_change" }>,
  { simulation }: SolanaFacts,
): SolanaFinding | undefined {
  const state = simulation.before.get(account);
  if (what === "identity" && state !== undefined && voteIdentityOf(state) === to) return undefined;
  const description = `changes the ${what} of the vote account ${account}${to === undefined ? "" : ` to ${to}`}`;
  return { name: "vote_account_changed", account, ...(to === undefined ? {} : { gains: to }), description };
}
