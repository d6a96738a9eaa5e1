import { mimicsSystem } from "../../chains/solana/system-addresses.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { ServiceSubject } from "../subject.ts";
import type { UserAddresses } from "./user-addresses.ts";

/** How lists and labels accuse an address, in the words of the worker's lists. */
export type ListedAs = "sanctioned" | "blocked";

/** The facts about a target. */
export interface TargetFacts {
  readonly listedAs: ListedAs | undefined;
  readonly resemblesUser: boolean;
  /** True when the address was made to look like a program or an account of Solana's network. */
  readonly mimicsSystem: boolean;
  /** The label that the address resembles most. Undefined when it resembles none. */
  readonly resembledLabel: AddressLabel | undefined;
  /**
   * True when the address is itself an exchange, bridge or protocol, or a token of its chain. Computed only for an
   * address that resembles a label.
   */
  readonly isOriginal: boolean;
}

/** The facts about a token contract. */
export interface PoisoningTokenFacts {
  readonly listedAs: ListedAs | undefined;
  readonly mimicsSystem: boolean;
  readonly resembledToken: AddressLabel | undefined;
  /** The labelled token that the symbol or name reads like. Set only when the caller sent a symbol or name. */
  readonly namedLike: AddressLabel | undefined;
  /**
   * True when the address is itself a labelled token of its chain, or an exchange, bridge or protocol. Computed only
   * for an address that resembles a token.
   */
  readonly isOriginal: boolean;
  /**
   * True when labels of this chain vouch for the token. Computed only for a token that is named like a labelled one.
   * Labels of other chains do not count, because each chain's contract has a name of its own.
   */
  readonly isWellKnown: boolean;
}

/**
 * Collects the facts about one target. They depend on the target, the users and the labels, never on other entries of
 * the batch.
 */
export function gatherTarget(target: ServiceSubject, users: UserAddresses, labels: LabelBook): TargetFacts {
  const { chain, address } = target;
  const resembledLabel = labels.wellKnownImitatedBy(chain.family, address);
  return {
    listedAs: listedAs(target, labels),
    resemblesUser: users.areImitatedBy(target),
    mimicsSystem: looksLikeSystem(target),
    resembledLabel,
    isOriginal: resembledLabel !== undefined && labels.isOriginal(chain, address),
  };
}

/**
 * Collects the facts about one token. `names` holds the symbol and name that the caller knows. A token is compared with
 * the labelled tokens of its chain, never with users.
 */
export function gatherToken(
  token: ServiceSubject,
  labels: LabelBook,
  names: readonly string[] = [],
): PoisoningTokenFacts {
  const { chain, address } = token;
  const resembledToken = labels.tokenImitatedBy(chain, address);
  const namedLike = labels.tokenNamedLike(chain, names);
  return {
    listedAs: listedAs(token, labels),
    mimicsSystem: looksLikeSystem(token),
    resembledToken,
    namedLike,
    isOriginal: resembledToken !== undefined && labels.isOriginal(chain, address),
    isWellKnown: namedLike !== undefined && labels.isWellKnown(chain, address),
  };
}

function looksLikeSystem({ chain, address }: ServiceSubject): boolean {
  return chain.family === "solana" && mimicsSystem(address);
}

function listedAs({ chain, address }: ServiceSubject, labels: LabelBook): ListedAs | undefined {
  const { accusations } = labels.standingOf(chain, address);
  if (accusations.length === 0) return undefined;
  return accusations.some(({ as }) => as === "sanctioned") ? "sanctioned" : "blocked";
}
