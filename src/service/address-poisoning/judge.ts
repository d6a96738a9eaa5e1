import type { AddressLabel } from "../../labels/label.ts";
import type { ListedAs, PoisoningTokenFacts, TargetFacts } from "./gather.ts";

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
 * A well-known address imitates nobody well-known: two contracts of one deployer may look alike by intent. What a list
 * accuses imitates nothing, but raises the aggregate flag: a client of the interface reads no other field.
 */
export function judgeTarget(facts: TargetFacts): TargetFinding {
  const imitated = facts.isOriginal ? undefined : facts.resembledLabel;
  return {
    isPoisoning: facts.resemblesUser || facts.mimicsSystem || imitated !== undefined || facts.listedAs !== undefined,
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
export function judgeToken(facts: PoisoningTokenFacts): TokenFinding {
  const imitated =
    (facts.isOriginal ? undefined : facts.resembledToken) ?? (facts.isWellKnown ? undefined : facts.namedLike);
  const { mimicsSystem, listedAs } = facts;
  const isPoisoning = imitated !== undefined || mimicsSystem || listedAs !== undefined;
  return { isPoisoning, mimicsSystem, listedAs, imitated };
}
