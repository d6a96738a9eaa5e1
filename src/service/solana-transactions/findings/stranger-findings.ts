import { isStandardProgram, programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { NATIVE, SMALL_CHANGE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { mayHaveKey } from "../../../chains/solana/wallet-key.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { solOf } from "./holdings.ts";

/** Intermediaries may keep a tenth of all gains of an asset as a fee. */
const SHARE_OF_FEES = 10n;

interface Gain {
  readonly holder: string;
  readonly amount: bigint;
}

/**
 * Reports programs that pay a stranger more of an asset than the signers gave or got. A signer's share in a loan, a
 * pool or a shared wallet is in no balance of the signer. The signature can still release that share to a stranger.
 * Intermediaries such as exchanges are not strangers. Their addresses have no key, and the transaction names them
 * because they also pay out.
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

/** Counts the lamports of wallets, and wrapped SOL by its owner. */
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
  // The cheap comparison comes first, because `mayHaveKey` takes longer than all other steps.
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
