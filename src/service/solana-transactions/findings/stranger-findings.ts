import { isStandardProgram, programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { NATIVE, SMALL_CHANGE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { mayHaveKey } from "../../../chains/solana/wallet-key.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { solOf } from "./holdings.ts";

/** What is a fee of those who carry something on: a tenth at most of all of it that comes to anybody. */
const SHARE_OF_FEES = 10n;

interface Gain {
  readonly holder: string;
  readonly amount: bigint;
}

/**
 * Programs that pay somebody more of something than those who sign gave or got of it: what these have in a loan, a pool or a
 * shared wallet is in no balance of theirs, and leaves by their signature all the same. Who passes something on, as
 * exchanges do, are no wallets: their addresses have no key, and the transaction names them, for they pay out, too.
 */
export const strangerFindings: SolanaRule = (facts) => {
  if (facts.calls.every(({ program }) => isStandardProgram(program))) return [];
  const tokens = facts.changes.filter(({ mint }) => mint !== NATIVE && mint !== WRAPPED_SOL);
  return [...solPaid(facts), ...tokens.flatMap((token) => tokenPaid(token, facts))];
};

function tokenPaid({ mint, changes }: TokenChanges, facts: SolanaFacts): readonly SolanaFinding[] {
  const own = changes.filter(({ holder }) => facts.signers.has(holder));
  const delta = own.reduce((total, { begin, end }) => total + end - begin, 0n);
  const gains = changes.flatMap(({ holder, begin, end }) => (end > begin ? [{ holder, amount: end - begin }] : []));
  const strangers = gains.filter(({ holder }) => !facts.signers.has(holder));
  return paid(`the token ${mint}`, delta, gains, strangers, facts);
}

/** Lamports of wallets, and wrapped SOL by its owner. */
function solPaid(facts: SolanaFacts): readonly SolanaFinding[] {
  const { simulation, signers, derived, changes } = facts;
  const delta = [...signers].reduce((total, who) => {
    const { begin, end } = solOf(who, simulation, derived);
    return total + end - begin;
  }, 0n);
  const isWallet = (address: string) => {
    const state = simulation.after.get(address);
    return state !== undefined && state.owner === programs.system && state.data.length === 0;
  };
  const gains = changes
    .filter(({ mint }) => mint === NATIVE || mint === WRAPPED_SOL)
    .flatMap(({ mint, changes: all }) => all.filter(({ holder }) => mint === WRAPPED_SOL || isWallet(holder)))
    .flatMap(({ holder, begin, end }) => (end > begin ? [{ holder, amount: end - begin }] : []));
  const strangers = gains.filter(({ holder, amount }) => !signers.has(holder) && amount > SMALL_CHANGE);
  return paid("SOL", delta, gains, strangers, facts);
}

function paid(
  what: string,
  delta: bigint,
  gains: readonly Gain[],
  others: readonly Gain[],
  { simulation: { accounts } }: SolanaFacts,
): readonly SolanaFinding[] {
  const own = delta < 0n ? -delta : delta;
  // Whoever cannot have gained too much need not be looked at: that takes longer than all the rest.
  if (sum(others) <= own) return [];
  const strangers = others.filter(({ holder }) => !accounts.includes(holder) || mayHaveKey(holder));
  const amount = sum(strangers);
  if (amount <= own || amount * SHARE_OF_FEES <= sum(gains)) return [];
  return strangers.map(({ holder }) => ({
    name: "service_pays_stranger",
    account: holder,
    gains: holder,
    description: `a program pays ${what} to ${holder}, more than those who sign gave for it or got of it`,
  }));
}

function sum(gains: readonly Gain[]): bigint {
  return gains.reduce((total, { amount }) => total + amount, 0n);
}
