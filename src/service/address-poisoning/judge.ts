import type { AddressLabel } from "../../labels/label.ts";
import type { ListedAs, TargetFacts, TokenFacts } from "./gather.ts";

export interface TargetFinding {
  readonly isPoisoning: boolean;
  readonly mimicsUser: boolean;
  readonly mimicsSystem: boolean;
  readonly listedAs: ListedAs | undefined;
  /** The exchange, bridge or protocol that is imitated; absent when none. */
  readonly imitated: AddressLabel | undefined;
}

export interface TokenFinding {
  readonly isPoisoning: boolean;
  readonly mimicsSystem: boolean;
  readonly listedAs: ListedAs | undefined;
  /** The token that is imitated; absent when none. */
  readonly imitated: AddressLabel | undefined;
}

/**
 * A well-known address imitates nobody well-known: two contracts of one deployer may look alike by intent. That an address
 * is sanctioned raises no flag, since it imitates nothing; `malicious` and `blocked` are an operator's own word for poisoning.
 */
export function judgeTarget(facts: TargetFacts): TargetFinding {
  const imitated = facts.isWellKnown ? undefined : facts.resembledLabel;
  return {
    isPoisoning: facts.resemblesUser || facts.mimicsSystem || imitated !== undefined || facts.isMalicious,
    mimicsUser: facts.resemblesUser,
    mimicsSystem: facts.mimicsSystem,
    listedAs: facts.listedAs,
    imitated,
  };
}

/**
 * A labelled token imitates no other token of its chain: projects move to new contracts and keep their symbol. Nor does
 * another labelled contract: Uniswap ground its factory to look like UNI.
 */
export function judgeToken(facts: TokenFacts): TokenFinding {
  const imitated = facts.isWellKnown ? undefined : (facts.resembledToken ?? facts.namedLike);
  const { isMalicious, mimicsSystem, listedAs } = facts;
  return { isPoisoning: imitated !== undefined || mimicsSystem || isMalicious, mimicsSystem, listedAs, imitated };
}
