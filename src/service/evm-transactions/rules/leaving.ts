import type { BalanceChange } from "../execution.ts";
import type { EvmFacts } from "../facts.ts";

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
