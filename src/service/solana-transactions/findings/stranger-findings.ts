import { isStandardProgram, programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { outflowFindings as found, outflowOf } from "../../../chains/solana/rules/outflow.ts";
import { NATIVE, ownChanges, SMALL_CHANGE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import { mayHaveKey } from "../../../chains/solana/wallet-key.ts";
import { solOf } from "./account-findings.ts";
import { paymentFor, unpriced } from "./counter-value.ts";
import { type SolanaFacts, type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";

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

/**
 * Reports every address that labels accuse, in whichever role the transaction names it. Roles are a signer, a mint, a
 * delegate, the owner of a token account, and an address within instruction data. Risk levels do not replace this
 * finding. They cover only addresses with changed balances, and no address when the simulation fails.
 */
export const listedFindings: SolanaRule = ({ calls, simulation: { error, accounts, before, after }, ...labels }) => {
  const { isListed, listedWithin } = labels;
  const owners = [before, after].flatMap((state) =>
    [...state.keys()].flatMap((address) => {
      const tokens = tokenAccountAt(state, address);
      if (tokens === undefined) return [];
      // A transaction that revokes an approval must not be flagged because labels accuse the delegate.
      const isOver = state === before && error === undefined;
      return [tokens.owner, tokens.mint, isOver ? undefined : tokens.delegate];
    }),
  );
  const named = new Set([...accounts, ...owners, ...calls.flatMap(({ data }) => listedWithin(data))]);
  return [...named].flatMap((account) =>
    account === undefined || !isListed(account)
      ? []
      : [{ name: "listed_address", account, description: `names ${account}, which labels call dangerous` }],
  );
};

/**
 * Reports signers that lose most of their SOL, or several assets, without a payment that may be worth it. A payment of
 * unknown worth gets a finding of its own.
 */
export const outflowFindings: SolanaRule = (facts) => [...facts.signers].flatMap((signer) => judged(signer, facts));

function judged(signer: string, facts: SolanaFacts): readonly SolanaFinding[] {
  const own = ownChanges(signer, facts.changes);
  const sol = solOf(signer, facts.simulation, facts.derived);
  const outflow = outflowOf(signer, own, sol);
  if (outflow === undefined) return [];
  const { assets } = outflow;
  const payment = paymentFor({ who: signer, own, solDelta: sol.end - sol.begin, assets: assets.length }, facts);
  if (payment === "known") return [];
  return payment === "none" ? found(outflow) : [unpriced(payment, signer, assets.join(", "))];
}
