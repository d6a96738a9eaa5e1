import { type Decision, decisions } from "../../src/messages/decision.ts";

/** The fields of a verdict that decide whether another verdict on the same event replaces it. */
export interface Ranked {
  readonly revision: number;
  readonly decision: Decision;
  readonly unanswered?: true | undefined;
}

/**
 * The verdict that counts for a consumer, among all verdicts of one event in any order: the rule of docs/kafka.md. The
 * highest revision counts. Among its copies, any decision comes before an UNKNOWN with a missing answer, and then the
 * most severe.
 */
export function standing<V extends Ranked>(said: readonly V[]): V | undefined {
  return said.reduce<V | undefined>(
    (best, each) => (best === undefined || outranks(each, best) ? each : best),
    undefined,
  );
}

function outranks(one: Ranked, other: Ranked): boolean {
  return one.revision === other.revision ? rankOf(one) > rankOf(other) : one.revision > other.revision;
}

function rankOf({ decision, unanswered }: Ranked): number {
  return unanswered === true ? -1 : decisions.indexOf(decision);
}
