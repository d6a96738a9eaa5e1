import { aboutParty } from "../../labels/about-address.ts";
import type { BalanceChange } from "../execution.ts";
import type { EvmFacts } from "../facts.ts";
import type { EvmRule } from "./rule.ts";

/** Assets that leave the accounts during the execution, and the assets that come back. */
export interface LeavingAsset {
  readonly all: readonly BalanceChange[];
  /** Losses that the calldata does not state, or states a smaller amount of. */
  readonly hidden: readonly BalanceChange[];
  /** `worth`: coins beyond small change, or a labelled token. `unknown`: other assets, with unknown worth. */
  readonly back: "worth" | "unknown" | "nothing";
}

/**
 * Wei (0.02 coins). A drainer may give back as much. Source: src/chains/solana/rules/token-changes.ts, SMALL_CHANGE.
 */
const SMALL_CHANGE = 2n * 10n ** 16n;

/** Tolerance for rounding and fees: a hundredth of the stated amount, plus two units. Chosen. */
const tolerated = (amount: bigint) => amount + amount / 100n + 2n;

/** Whether calldata states every amount that leaves. A call of a service leaves the amounts to the service. */
function statesAmounts({ does }: EvmFacts): boolean {
  return does.unexplained.length === 0 && does.services.length === 0;
}

/** @returns undefined where a transaction was not executed to its end. */
export function leavingIn({ chain, does, known }: EvmFacts): LeavingAsset | undefined {
  if (chain?.execution?.ended !== "done") return undefined;
  const { changes } = chain.execution;
  const all = changes.filter(({ change }) => change < 0n);
  const gained = changes.filter(({ change }) => change > 0n);
  const isWorth = ({ token, change }: BalanceChange) =>
    token === undefined ? change > SMALL_CHANGE : known(token).isTrustedToken || known(token).isService;
  return {
    all,
    hidden: all.filter((change) => !isSaid(change, does)),
    back: gained.some(isWorth) ? "worth" : gained.length > 0 ? "unknown" : "nothing",
  };
}

function isSaid({ account, standard, token, id, change }: BalanceChange, { acts }: EvmFacts["does"]): boolean {
  const said = acts.flatMap((act) => {
    if (act.does === "pay") return token === undefined && act.from === account ? [act.amount] : [];
    if (act.does === "refund") return act.token === token && act.from === account ? [-change] : [];
    return act.does === "transfer" && act.token === token && act.from === account ? [act.amount] : [];
  });
  // An item is identified by its id, and some calls pass the id where others pass an amount.
  if (standard === "erc721") return id !== undefined && said.includes(id);
  if (standard === "token" && change === -1n) return said.length > 0;
  return said.length > 0 && -change <= tolerated(said.reduce((sum, amount) => sum + amount, 0n));
}

/** Describes a balance change for the user. */
export function inWords({ standard, token, id, change }: BalanceChange): string {
  if (token === undefined) return `${-change} wei`;
  if (standard === "erc721") return `item ${id} of ${token}`;
  if (standard === "erc1155") return `${-change} of item ${id} of ${token}`;
  return `${-change} units of ${token}`;
}

/**
 * A labelled contract gives something for the assets that it takes, and a bridge does so on another chain. When nothing
 * comes back, the contract may fulfil a drainer's order or pay a drainer's address.
 */
function isMeant({ transaction, known }: EvmFacts, { back }: LeavingAsset): boolean {
  if (transaction.to === undefined) return false;
  const called = known(transaction.to);
  return called.isBridge || (called.isWellKnown && back !== "nothing");
}

const assets = (changes: readonly { readonly token: string | undefined }[]) =>
  new Set(changes.map(({ token }) => token ?? "native")).size;

/** A drainer takes several kinds of assets. It gives back at most a token that any deployer can make. */
export const severalAssetsLeave: EvmRule = (facts) => {
  const leaving = leavingIn(facts);
  if (leaving === undefined || leaving.hidden.length === 0 || leaving.back === "worth") return undefined;
  if (isMeant(facts, leaving) || assets(leaving.all) < 2) return undefined;
  return `takes ${leaving.all.slice(0, 4).map(inWords).join(", ")} from you, and ${inReturn(leaving)}`;
};

/**
 * More than half of one asset leaves, and nothing comes back. Fully explained calls are believed. A labelled contract
 * may keep its own books, for example for stakes.
 */
export const mostOfAssetLeaves: EvmRule = (facts) => {
  const leaving = leavingIn(facts);
  if (leaving?.back !== "nothing" || statesAmounts(facts)) return undefined;
  const { to } = facts.transaction;
  if (to !== undefined && facts.known(to).isWellKnown) return undefined;
  const found = leaving.all.find(({ change, before }) => before !== undefined && -change * 2n > before);
  return found && `takes ${inWords(found)}, of which ${found.account} has ${found.before}, and nothing comes back`;
};

/** A fully explained call takes another asset, or a larger amount. */
export const movesOtherTokens: EvmRule = (facts) => {
  const [hidden] = leavingIn(facts)?.hidden ?? [];
  if (hidden === undefined || !statesAmounts(facts)) return undefined;
  return `takes ${inWords(hidden)} from ${hidden.account}, of which the call does not speak`;
};

/** A call that is not fully explained takes an asset, and nothing of known worth comes back. */
export const assetsLeave: EvmRule = (facts) => {
  const leaving = leavingIn(facts);
  const [hidden] = leaving?.hidden ?? [];
  if (leaving === undefined || hidden === undefined || leaving.back === "worth") return undefined;
  if (statesAmounts(facts) || isMeant(facts, leaving)) return undefined;
  const share =
    hidden.before === undefined || hidden.before <= 0n ? undefined : (-hidden.change * 100n) / hidden.before;
  const part = share === undefined ? "" : ` (${share} % of it)`;
  return `takes ${inWords(hidden)}${part} from you, and ${inReturn(leaving)}`;
};

function inReturn({ back }: LeavingAsset): string {
  return back === "nothing" ? "nothing comes back" : "only what nobody knows the worth of comes back";
}

/** Nine tenths. Chosen: payments rarely leave less, and fees take some of the rest. */
const [PART, WHOLE] = [9n, 10n];

/** Nearly the whole balance of the sender goes to unknown addresses. */
export const drainsBalance: EvmRule = ({ does, chain, transaction, known }) => {
  const left = does.acts.reduce(
    (sum, act) =>
      act.does === "pay" && act.from === transaction.from && act.to !== act.from && !known(act.to).isWellKnown
        ? sum + act.amount
        : sum,
    0n,
  );
  if (chain === undefined || left === 0n || left * WHOLE < chain.balance * PART) return undefined;
  return `${left} of the ${chain.balance} wei that the sender has leave for addresses of which nothing is known`;
};

/**
 * The calldata of a Safe transaction sets the refund, in any amount of any token, for any receiver. The submitter does
 * not set the refund.
 */
export const refundToStranger: EvmRule = ({ does, transaction, known }) => {
  const found = does.acts.find(
    (act) => act.does === "refund" && act.to !== transaction.from && !known(act.to).isService,
  );
  return found?.does === "refund"
    ? `lets ${found.to}, ${aboutParty(known(found.to))}, be paid a refund by ${found.from}, in ${found.token ?? "its coins"}`
    : undefined;
};
