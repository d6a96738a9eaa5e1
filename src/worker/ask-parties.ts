import type { PoisoningEvidence } from "../events/evidence.ts";
import type { Outcome } from "./pace/outcome.ts";
import type { Claim } from "./pace/turn.ts";
import type { PartiesQuestion } from "./plan.ts";
import type { PoisoningPool } from "./poisoning-pool/pool.ts";
import { isFlagged } from "./poisoning-pool/read-answer.ts";
import { uniteParties } from "./poisoning-pool/unite.ts";

/**
 * Asks about everybody who gains by one transaction, and each token with whoever gets it. A '1' about any of them stands;
 * whom it was about is named in `flagged`.
 */
export async function askParties(
  { chain, parties, users }: PartiesQuestion,
  claim: Claim,
  pool: Pick<PoisoningPool, "ask">,
): Promise<Outcome<PoisoningEvidence>> {
  const outcomes = await Promise.all(
    parties.map((party) => pool.ask({ check: "poisoning", chain, ...party, users }, claim)),
  );
  const united = uniteParties(outcomes);
  if (!united.ok) return united;
  const flagged = parties.filter((_, i) => {
    const outcome = outcomes[i];
    return outcome?.ok === true && isFlagged(outcome.value);
  });
  const targets = [...new Set(flagged.map(({ target }) => target))];
  return targets.length === 0 ? united : { ...united, value: { ...united.value, flagged: targets } };
}
