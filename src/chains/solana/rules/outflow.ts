import { amountText } from "../amount-text.ts";
import { WRAPPED_SOL } from "../programs.ts";
import { NATIVE, NATIVE_DECIMALS, type OwnChange, SMALL_CHANGE } from "./token-changes.ts";

/** The SOL of one holder in lamports, before and after. */
export interface Sol {
  readonly begin: bigint;
  readonly end: bigint;
}

/** Most of the SOL of one holder leaves, or more than one asset leaves. */
export interface Outflow {
  readonly who: string;
  readonly sol: Sol;
  readonly isMost: boolean;
  /** Names for display to people. */
  readonly assets: readonly string[];
}

export interface OutflowFinding {
  readonly name: "majority_of_sol_leaves" | "several_assets_leave";
  readonly account: string;
  readonly description: string;
}

const WRAPPED = "wrapped SOL";

/** Undefined when neither most of the SOL nor more than one asset leaves. Assets that come back are ignored here. */
export function outflowOf(who: string, own: readonly OwnChange[], sol: Sol): Outflow | undefined {
  const isMost = isMostOf(sol);
  const tokens = own
    .filter(({ mint, change }) => mint !== NATIVE && change.end < change.begin)
    .filter(({ mint }) => mint !== WRAPPED_SOL || sol.begin - sol.end > SMALL_CHANGE)
    .map(({ mint }) => (mint === WRAPPED_SOL ? WRAPPED : mint));
  const assets = [...(isMost ? ["most of the SOL"] : []), ...tokens];
  // Beside a token, a smaller part of the SOL counts as an asset too. A small amount is a rent, a tip or a fee.
  const isOneMore = !isMost && tokens.length > 0 && !tokens.includes(WRAPPED) && isMoreThanATenth(sol);
  if (isOneMore) assets.push(`${amountText(sol.begin - sol.end, NATIVE_DECIMALS)} SOL`);
  return isMost || assets.length > 1 ? { who, sol, isMost, assets } : undefined;
}

/** The findings on an outflow without a return of similar worth. */
export function outflowFindings({ who, sol: { begin, end }, isMost, assets }: Outflow): readonly OutflowFinding[] {
  const found: OutflowFinding[] = [];
  if (isMost) {
    const amount = amountText(begin - end, NATIVE_DECIMALS);
    const description = `${amount} of ${amountText(begin, NATIVE_DECIMALS)} SOL leave ${who}, and nothing of that worth comes back`;
    found.push({ name: "majority_of_sol_leaves", account: who, description });
  }
  if (assets.length > 1) {
    const description = `${assets.length} assets leave ${who} (${assets.join(", ")}), and nothing of that worth comes back`;
    found.push({ name: "several_assets_leave", account: who, description });
  }
  return found;
}

/** Rents and fees are excluded from the tenth. Balances alone do not show which accounts paid the rents. */
const isMoreThanATenth = ({ begin, end }: Sol) => (begin - end - SMALL_CHANGE) * 10n > begin;

function isMostOf({ begin, end }: Sol): boolean {
  return begin - end > SMALL_CHANGE && (begin - end) * 2n > begin;
}
