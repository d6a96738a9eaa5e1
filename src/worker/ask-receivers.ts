import { type CanonicalAddress, parseAddress } from "../chains/address.ts";
import type { EvidenceOf, PoisoningEvidence } from "../events/evidence.ts";
import { type Outcome, UNASKED } from "./pace/outcome.ts";
import type { Claim } from "./pace/turn.ts";
import type { ReceiversQuestion } from "./plan.ts";
import type { PoisoningPool } from "./poisoning-pool/pool.ts";
import { uniteOutcomes } from "./poisoning-pool/unite.ts";
import { AnswerInvalidError } from "./service-errors.ts";

type Simulated = Outcome<EvidenceOf<"solana-simulation">>;

/**
 * Asks about everyone who receives by transactions, as their simulation says. Where it says of nobody, or failed, about
 * every account that they write: one of them, or its owner, would have received. A '1' about any of them stands.
 */
export async function askReceivers(
  { chain, candidates, users }: ReceiversQuestion,
  simulated: Promise<Simulated>,
  claim: Claim,
  pool: Pick<PoisoningPool, "ask">,
): Promise<Outcome<PoisoningEvidence>> {
  const outcome = await simulated;
  if (!outcome.ok) return outcome;
  const received = receiversIn(outcome.value).filter(
    (address) => !users.includes(address) || candidates.includes(address),
  );
  const targets = received.length > 0 ? received : candidates;
  if (targets.length === 0) {
    const error = new AnswerInvalidError("the simulation does not say who receives");
    return { ok: false, error, trace: UNASKED };
  }
  const asked = targets.map((target) =>
    pool.ask({ check: "poisoning", chain, target, users, token: undefined }, claim),
  );
  return uniteOutcomes(await Promise.all(asked));
}

/** Whoever has more of anything afterwards, and whoever may act on an account from then on. */
function receiversIn({ results }: EvidenceOf<"solana-simulation">): readonly CanonicalAddress[] {
  const gained = results.flatMap(({ balance_changes = [], findings = [] }) => [
    ...balance_changes.flatMap(({ change_list }) =>
      change_list.filter(({ delta_value }) => /^[+]?0*[1-9]/.test(delta_value)).map(({ address }) => address),
    ),
    ...findings.flatMap(({ gains }) => gains ?? []),
  ]);
  return [...new Set(gained)].flatMap((text) => {
    const parsed = parseAddress("solana", text);
    return parsed.ok ? [parsed.value] : [];
  });
}
