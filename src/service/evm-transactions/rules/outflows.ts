import type { EvmFacts } from "../facts.ts";
import { inWords, type LeavingAsset, leavingIn } from "./leaving.ts";
import type { EvmRule } from "./rule.ts";

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
  if (leaving?.back !== "nothing" || facts.does.unexplained.length === 0) return undefined;
  const { to } = facts.transaction;
  if (to !== undefined && facts.known(to).isWellKnown) return undefined;
  const found = leaving.all.find(({ change, before }) => before !== undefined && -change * 2n > before);
  return found && `takes ${inWords(found)}, of which ${found.account} has ${found.before}, and nothing comes back`;
};

/** A fully explained call takes another asset, or a larger amount. */
export const movesOtherTokens: EvmRule = (facts) => {
  const [hidden] = leavingIn(facts)?.hidden ?? [];
  if (hidden === undefined || facts.does.unexplained.length > 0) return undefined;
  return `takes ${inWords(hidden)} from ${hidden.account}, of which the call does not speak`;
};

/** A call that is not fully explained takes an asset, and nothing of known worth comes back. */
export const assetsLeave: EvmRule = (facts) => {
  const leaving = leavingIn(facts);
  const [hidden] = leaving?.hidden ?? [];
  if (leaving === undefined || hidden === undefined || leaving.back === "worth") return undefined;
  if (facts.does.unexplained.length === 0 || isMeant(facts, leaving)) return undefined;
  const share =
    hidden.before === undefined || hidden.before <= 0n ? undefined : (-hidden.change * 100n) / hidden.before;
  const part = share === undefined ? "" : ` (${share} % of it)`;
  return `takes ${inWords(hidden)}${part} from you, and ${inReturn(leaving)}`;
};

function inReturn({ back }: LeavingAsset): string {
  return back === "nothing" ? "nothing comes back" : "only what nobody knows the worth of comes back";
}
