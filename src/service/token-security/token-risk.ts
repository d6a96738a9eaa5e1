import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { LabelBook } from "../labels/label-book.ts";

/** Medium: an honest bridged copy that no list has may be called like its original, too. Chosen. */
const CALLED_LIKE_ANOTHER = 3;

/** A token and what its contract says of itself, as far as it does. */
export interface NamedToken {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
}

/**
 * The risk of a token, 0 to 5: that of its labels, and of one that is not well known on its chain that of being called like a labelled token of its
 * chain. Undefined when there is neither.
 */
export function tokenRisk({ chain, address, symbol, name }: NamedToken, labels: LabelBook): number | undefined {
  const known = labels.riskOf(chain, address);
  const names = [symbol, name].filter((each) => each !== undefined);
  if (labels.isWellKnown(chain, address) || labels.tokenNamedLike(chain, names) === undefined) return known;
  return Math.max(CALLED_LIKE_ANOTHER, known ?? 0);
}

/** 1 for a token of this chain that labels vouch for, at no risk; undefined for every other one. */
export function tokenTrust(chain: Chain, address: CanonicalAddress, labels: LabelBook): string | undefined {
  return labels.vouchesFor(chain, address, "token") && labels.riskOf(chain, address) === 0 ? "1" : undefined;
}
