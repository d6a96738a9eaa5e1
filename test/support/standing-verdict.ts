import { type Decision, decisions } from "../../src/messages/decision.ts";

/** What of a verdict says whether another one on the same event takes its place. */
export interface Ranked {
  readonly revision: number;
  readonly decision: Decision;
  readonly unanswered?: true | undefined;
}

/**
 * The verdict that a consumer goes by, of all that it has of one event, in whatever order: the rule of the README. The
 * highest revision; among its copies any decision before an UNKNOWN that lacks an answer, and then the most severe.
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
