import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { amountText } from "../amount-text.ts";
import { NATIVE, NATIVE_DECIMALS } from "../balance-changes.ts";
import { ownChanges, paymentFor, unpriced } from "./comes-back.ts";
import type { Facts, Finding, Finds } from "./facts.ts";
import { SMALL_CHANGE, solOf } from "./held.ts";

/**
 * For each who signs: whether most of the SOL, or more than one asset, leaves, and nothing that may be worth as much comes
 * back, or only what nobody can tell to be.
 */
export const outflowFindings: Finds = (facts) => [...facts.signers].flatMap((signer) => outflowOf(signer, facts));

function outflowOf(signer: string, facts: Facts): Finding[] {
  const own = ownChanges(signer, facts);
  const sol = solOf(signer, facts.simulation, facts.derived);
  const isMost = isMostOf(sol);
  const tokens = own
    .filter(({ mint, change }) => mint !== NATIVE && change.end < change.begin)
    .filter(({ mint }) => mint !== WRAPPED_SOL || sol.begin - sol.end > SMALL_CHANGE)
    .map(({ mint }) => (mint === WRAPPED_SOL ? WRAPPED : mint));
  const assets = [...(isMost ? ["most of the SOL"] : []), ...tokens];
  // Beside a token less of the SOL is an asset, too; a little goes along as rent, a tip or a fee.
  const isOneMore = !isMost && tokens.length > 0 && !tokens.includes(WRAPPED) && isMoreThanATenth(sol);
  if (isOneMore) assets.push(`${amountText(sol.begin - sol.end, NATIVE_DECIMALS)} SOL`);
  if (!isMost && assets.length < 2) return [];
  const payment = paymentFor({ who: signer, own, solDelta: sol.end - sol.begin, assets: assets.length }, facts);
  if (payment === "known") return [];
  if (payment !== "none") return [unpriced(payment, signer, assets.join(", "))];
  const found: Finding[] = [];
  if (isMost) {
    const amount = amountText(sol.begin - sol.end, NATIVE_DECIMALS);
    const description = `${amount} of ${amountText(sol.begin, NATIVE_DECIMALS)} SOL leave ${signer}, and nothing of that worth comes back`;
    found.push({ name: "majority_of_sol_leaves", account: signer, description });
  }
  if (assets.length > 1) {
    const description = `${assets.length} assets leave ${signer} (${assets.join(", ")}), and nothing of that worth comes back`;
    found.push({ name: "several_assets_leave", account: signer, description });
  }
  return found;
}

const WRAPPED = "wrapped SOL";

interface Sol {
  readonly begin: bigint;
  readonly end: bigint;
}

const isMoreThanATenth = ({ begin, end }: Sol) => begin - end > SMALL_CHANGE && (begin - end) * 10n > begin;

function isMostOf({ begin, end }: Sol): boolean {
  return begin - end > SMALL_CHANGE && (begin - end) * 2n > begin;
}
