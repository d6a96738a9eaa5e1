import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { LabelBook } from "../labels/label-book.ts";

/** Medium: an honest bridged copy that no list has may also have its original's name. Chosen. */
const CALLED_LIKE_ANOTHER = 3;

/** A token with the symbol and the name that its contract returns. */
export interface NamedToken {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
}

/**
 * The risk of a token, 0 to 5: the highest risk of its labels and its name. The name counts when it reads like a
 * labelled token's, and the token is not well known on its chain. Undefined when neither applies.
 */
export function tokenRisk({ chain, address, symbol, name }: NamedToken, labels: LabelBook): number | undefined {
  const known = labels.riskOf(chain, address);
  const names = [symbol, name].filter((each) => each !== undefined);
  if (labels.isWellKnown(chain, address) || labels.tokenNamedLike(chain, names) === undefined) return known;
  return Math.max(CALLED_LIKE_ANOTHER, known ?? 0);
}

/** 1 for a token of this chain that labels vouch for, without any risk. Undefined for every other token. */
export function tokenTrust(chain: Chain, address: CanonicalAddress, labels: LabelBook): string | undefined {
  return labels.vouchesFor(chain, address, "token") && labels.riskOf(chain, address) === 0 ? "1" : undefined;
}
