import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { codeAuthorityOf } from "../../../chains/solana/accounts/code-account.ts";
import { controllerOf } from "../../../chains/solana/accounts/controller.ts";
import { nonceAuthorityOf } from "../../../chains/solana/accounts/nonce-account.ts";
import { stakerOf, withdrawerOf } from "../../../chains/solana/accounts/stake-account.ts";
import { voteIdentityOf, voteWithdrawerOf } from "../../../chains/solana/accounts/vote-account.ts";
import { isStandardProgram, programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { handedOver } from "../../../chains/solana/rules/handover.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import { solOf } from "./account-findings.ts";
import { madeOver } from "./authority-findings.ts";
import { escrowsOf } from "./escrow.ts";
import { type SolanaFacts, type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";
import { lockupFindings } from "./lockup.ts";
import { approval } from "./token-findings.ts";

/**
 * Compares the state of the signers' accounts before and after the transaction. The comparison works for unknown
 * programs and unknown instructions.
 */
export const stateFindings: SolanaRule = (facts) => [
  ...[...facts.simulation.before.keys()].flatMap((address) => [
    ...ownerChange(address, facts),
    ...authorityChanges(address, facts),
    ...tokenChanges(address, facts),
  ]),
  ...lockupFindings(facts),
  ...[...facts.simulation.after.keys()].flatMap((address) => paidFor(address, facts)),
];

function ownerChange(address: string, { signers, simulation }: SolanaFacts): SolanaFinding[] {
  const from = simulation.before.get(address);
  const to = simulation.after.get(address);
  if (!signers.has(address) || from === undefined || to === undefined) return [];
  if (from.owner !== programs.system || from.lamports === 0n) return [];
  if (to.owner === programs.system) return from.data.length === 0 && to.data.length > 0 ? [madeOver(address)] : [];
  const description = `gives the account ${address}, with all that it holds, to the program ${to.owner}`;
  return [{ name: "account_owner_changed", account: address, gains: to.owner, description }];
}

const rights: readonly {
  readonly name: Parameters<typeof handedOver>[0];
  readonly what: string;
  readonly of: (state: AccountState) => string | undefined;
}[] = [
  { name: "nonce_authority_changed", what: "the durable nonce", of: nonceAuthorityOf },
  { name: "stake_authority_changed", what: "the stake, as its staker,", of: stakerOf },
  { name: "stake_authority_changed", what: "the stake, as its withdrawer,", of: withdrawerOf },
  { name: "stake_authority_changed", what: "the vote account, as its withdrawer,", of: voteWithdrawerOf },
  { name: "vote_account_changed", what: "the identity", of: voteIdentityOf },
  { name: "upgrade_authority_changed", what: "the program's code", of: codeAuthorityOf },
];

/** Reports rights that a signer has before the transaction and another address has after it. */
function authorityChanges(address: string, { signers, simulation }: SolanaFacts): SolanaFinding[] {
  const before = simulation.before.get(address);
  const after = simulation.after.get(address);
  if (before === undefined || after === undefined) return [];
  return rights.flatMap(({ name, what, of }) => {
    const authority = of(before);
    const to = of(after);
    if (authority === undefined || to === undefined || !signers.has(authority)) return [];
    return handedOver(name, what, { account: address, authority, to }) ?? [];
  });
}

/**
 * Rent in lamports for each byte of an account. Each account pays for 128 bytes more than its data. Source: Solana,
 * Rent.
 */
const LAMPORTS_A_BYTE = 6_960n;

/**
 * Reports a new account for a holder that owns more afterwards, because other addresses pay for it. A holder that pays
 * for its own account owns no more than before. A signer, or the owner of a token account, may be lent the rent.
 * Wrapped SOL is a payment that the balances show.
 */
function paidFor(address: string, { signers, simulation, derived }: SolanaFacts): SolanaFinding[] {
  const { before, after } = simulation;
  const state = after.get(address);
  const tokens = tokenAccountAt(after, address);
  if (state === undefined || tokens?.mint === WRAPPED_SOL) return [];
  const holder = controllerOf(state);
  const was = before.get(address);
  if (was !== undefined && (controllerOf(was) !== undefined || holder === undefined)) return [];
  if (holder === undefined) return withMoreThanRent(address, state);
  const { begin, end } = solOf(holder, simulation, derived);
  if (end <= begin + (signers.has(holder) || tokens !== undefined ? SMALL_CHANGE : 0n)) return [];
  const description = `makes the account ${address}, with what it holds, one of ${holder}`;
  return [{ name: "account_for_another", account: address, gains: holder, description }];
}

/**
 * Applies to programs of the network only. Accounts of other programs belong to these programs, and their findings
 * cover the accounts.
 */
function withMoreThanRent(address: string, { owner, data, lamports }: AccountState): SolanaFinding[] {
  const rent = LAMPORTS_A_BYTE * BigInt(128 + data.length);
  const isWallet = owner === programs.system && data.length === 0;
  if (isWallet || !isStandardProgram(owner) || lamports <= rent + SMALL_CHANGE) return [];
  const description = `makes the account ${address} with more than its rent in it, and whose that is cannot be told`;
  return [{ name: "account_for_another", account: address, description }];
}

function tokenChanges(address: string, facts: SolanaFacts): SolanaFinding[] {
  const from = tokenAccountAt(facts.simulation.before, address);
  const to = tokenAccountAt(facts.simulation.after, address);
  if (from === undefined || to === undefined || !facts.signers.has(from.owner)) return [];
  const found: (SolanaFinding | undefined)[] = [];
  if (to.owner !== from.owner && escrowsOf(facts).get(address) !== to.owner) {
    const description = `the token account of ${address} goes from ${from.owner} to ${to.owner}`;
    found.push({ name: "token_owner_changed", account: address, gains: to.owner, description });
  }
  if (
    to.closeAuthority !== undefined &&
    to.closeAuthority !== from.closeAuthority &&
    to.closeAuthority !== from.owner
  ) {
    const description = `the right to close the token account of ${address} goes to ${to.closeAuthority}`;
    found.push({ name: "token_close_authority_changed", account: address, gains: to.closeAuthority, description });
  }
  const isMore = to.delegate !== from.delegate || to.delegatedAmount > from.delegatedAmount;
  if (to.delegate !== undefined && isMore) {
    found.push(approval({ account: address, to: to.delegate, amount: to.delegatedAmount }, facts));
  }
  return found.filter((finding) => finding !== undefined);
}
