import { outflowFindings as found, outflowOf } from "../../../chains/solana/rules/outflow.ts";
import { ownChanges } from "../../../chains/solana/rules/token-changes.ts";
import { paymentFor, unpriced } from "./counter-value.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { solOf } from "./holdings.ts";

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
