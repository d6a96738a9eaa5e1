import type { AddressLabel } from "../../labels/label.ts";
import type { TargetFacts, TokenFacts } from "./gather.ts";

export interface TargetFinding {
  readonly isPoisoning: boolean;
  readonly mimicsUser: boolean;
  readonly mimicsSystem: boolean;
  /** The exchange, bridge or protocol that is imitated; absent when none. */
  readonly imitated: AddressLabel | undefined;
}

export interface TokenFinding {
  readonly isPoisoning: boolean;
  /** The token that is imitated; absent when none. */
  readonly imitated: AddressLabel | undefined;
}

/** A well-known address imitates nobody well-known: two contracts of one deployer may look alike by intent. */
export function judgeTarget(facts: TargetFacts): TargetFinding {
  const imitated = facts.isWellKnown ? undefined : facts.resembledLabel;
  return {
    isPoisoning: facts.resemblesUser || facts.mimicsSystem || imitated !== undefined || facts.isMalicious,
    mimicsUser: facts.resemblesUser,
    mimicsSystem: facts.mimicsSystem,
    imitated,
  };
}

/**
 * A labelled token imitates no other token of its chain: projects move to new contracts and keep their symbol. Nor does
 * another labelled contract: Uniswap ground its factory to look like UNI.
 */
export function judgeToken(facts: TokenFacts): TokenFinding {
  const imitated = facts.isWellKnown ? undefined : (facts.resembledToken ?? facts.namedLike);
  return { isPoisoning: imitated !== undefined || facts.isMalicious, imitated };
}
