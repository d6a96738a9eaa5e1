import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Outcome } from "../answers/outcome.ts";
import { type PartialGathering, PartialResult, TOO_LATE } from "../answers/partial-result.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import { mergeParties } from "../batching/replies/merge-results.ts";
import { isFlagged } from "../batching/replies/read-answer.ts";
import type { PartiesQuestion } from "../plan/question.ts";
import type { CancellableRequester } from "./coalescer.ts";
import { isUnflagged, withImitators } from "./imitators.ts";

/**
 * Asks about every counterparty that gains by one transaction, each together with the token that it gets. A '1' about
 * any counterparty stands, and `flagged` names the flagged counterparties.
 */
export function askParties(
  { chain, parties, users }: PartiesQuestion,
  claim: CancellableRequester,
  pool: Pick<PoisoningBatcher, "ask">,
  soFar: PartialGathering<Outcome<PoisoningEvidence>> = new PartialResult(),
): Promise<Outcome<PoisoningEvidence>> {
  const each = parties.map(() => new PartialResult<Outcome<PoisoningEvidence>>());
  const asked = parties.map((party, i) => pool.ask({ check: "poisoning", chain, ...party, users }, claim, each[i]));
  return soFar.gather(
    asked,
    (outcomes) => united({ chain, parties, users }, outcomes),
    (at) => each[at]?.known ?? TOO_LATE,
  );
}

function united(
  question: Pick<PartiesQuestion, "chain" | "parties" | "users">,
  outcomes: readonly Outcome<PoisoningEvidence>[],
): Outcome<PoisoningEvidence> {
  const united = mergeParties(outcomes);
  if (!united.ok) return united;
  const flagged = question.parties.filter((_, i) => {
    const outcome = outcomes[i];
    return outcome?.ok === true && isFlagged(outcome.value);
  });
  const targets = [...new Set(flagged.map(({ target }) => target))];
  const told = targets.length === 0 ? united : { ...united, value: { ...united.value, flagged: targets } };
  const unflagged = question.parties.filter((_, i) => isUnflagged(outcomes[i]));
  return withImitators(
    told,
    question.chain.family,
    unflagged.map(({ target }) => target),
    question.users,
  );
}
