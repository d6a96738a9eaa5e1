import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { amountText } from "../amount-text.ts";
import { type Change, NATIVE, NATIVE_DECIMALS } from "../balance-changes.ts";
import type { Facts, Finding, Finds } from "./facts.ts";

/** Lamports (0.02 SOL) that rents and fees of an ordinary transaction may take without anybody being robbed. */
const SMALL_CHANGE = 20_000_000n;

/** For each who signs: whether most of the SOL, or more than one asset, leaves and nothing comes back. */
export const outflowFindings: Finds = (facts) => [...facts.signers].flatMap((signer) => outflowOf(signer, facts));

function outflowOf(signer: string, { changes }: Facts): Finding[] {
  const own = changes.flatMap(({ mint, changes: all }) =>
    all.filter(({ holder }) => holder === signer).map((change) => ({ mint, change })),
  );
  if (own.some(({ change }) => change.end > change.begin)) return [];
  const sol = own.find(({ mint }) => mint === NATIVE)?.change;
  const isMost = sol !== undefined && isMostOf(sol);
  const tokens = own
    .filter(({ mint }) => mint !== NATIVE)
    .map(({ mint }) => (mint === WRAPPED_SOL ? "wrapped SOL" : mint));
  const assets = [...(isMost ? ["most of the SOL"] : []), ...tokens];
  const found: Finding[] = [];
  if (isMost) {
    const amount = amountText(sol.begin - sol.end, NATIVE_DECIMALS);
    const description = `${amount} of ${amountText(sol.begin, NATIVE_DECIMALS)} SOL leave ${signer}, and nothing comes back`;
    found.push({ name: "majority_of_sol_leaves", account: signer, description });
  }
  if (assets.length > 1) {
    const description = `${assets.length} assets leave ${signer} (${assets.join(", ")}), and nothing comes back`;
    found.push({ name: "several_assets_leave", account: signer, description });
  }
  return found;
}

function isMostOf({ begin, end }: Change): boolean {
  return begin - end > SMALL_CHANGE && (begin - end) * 2n > begin;
}
