import { decisions } from "./decision.ts";
import type { Verdict } from "./verdict.ts";

/** The fields of a verdict that say whether another verdict on the same event replaces it. */
export type RankedVerdict = Pick<Verdict, "revision" | "decision" | "unanswered">;

const ANSWERED = decisions.length;
const REVISION = 2 * ANSWERED;
/** The lowest rank of a revised verdict. */
export const FIRST_REVISION = REVISION;

/**
 * Of several verdicts with one `verdict_id`, the one with the highest rank counts: the highest revision, then an
 * answered one, then the most severe one. Source: docs/kafka.md, "Which verdict counts".
 */
export function verdictRank({ revision, decision, unanswered }: RankedVerdict): number {
  return revision * REVISION + (unanswered === true ? 0 : ANSWERED) + decisions.indexOf(decision);
}
