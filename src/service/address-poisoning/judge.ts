import type { AddressLabel } from "../../labels/label.ts";
import type { ListedAs, PoisoningTokenFacts, TargetFacts } from "./gather.ts";

export interface TargetFinding {
  readonly isPoisoning: boolean;
  readonly mimicsUser: boolean;
  readonly mimicsSystem: boolean;
  readonly listedAs: ListedAs | undefined;
  /** The imitated exchange, bridge or protocol. Undefined when there is none. */
  readonly imitated: AddressLabel | undefined;
}

export interface TokenFinding {
  readonly isPoisoning: boolean;
  readonly mimicsSystem: boolean;
  readonly listedAs: ListedAs | undefined;
  /** The imitated token. Undefined when there is none. */
  readonly imitated: AddressLabel | undefined;
}

/**
 * A well-known address imitates no other well-known one, because two contracts of one deployer may look alike by
 * intent. An accused address imitates nothing, but raises the aggregate flag, because some clients read no other field.
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
 * A labelled token imitates no other token of its chain, because projects move to new contracts and keep their symbol.
 * Another labelled contract imitates no token either: Uniswap chose a factory address that looks like UNI.
 */
export function judgeToken(facts: PoisoningTokenFacts): TokenFinding {
  const imitated =
    (facts.isOriginal ? undefined : facts.resembledToken) ?? (facts.isWellKnown ? undefined : facts.namedLike);
  const { mimicsSystem, listedAs } = facts;
  const isPoisoning = imitated !== undefined || mimicsSystem || listedAs !== undefined;
  return { isPoisoning, mimicsSystem, listedAs, imitated };
}
