import { mimicsSystem } from "../../chains/solana/system-addresses.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { ServiceSubject } from "../subject.ts";
import type { UserAddresses } from "./user-addresses.ts";

/** How lists and labels accuse an address itself, in the words of the worker's lists. */
export type ListedAs = "sanctioned" | "blocked";

/** What is known about a target. */
export interface TargetFacts {
  readonly listedAs: ListedAs | undefined;
  readonly resemblesUser: boolean;
  /** Whether it was made to look like a program or an account of Solana's network. */
  readonly mimicsSystem: boolean;
  /** The label that it resembles most, absent when none. */
  readonly resembledLabel: AddressLabel | undefined;
  /** Whether it is itself an exchange, bridge or protocol, or a token of its chain; asked only of what resembles a label. */
  readonly isOriginal: boolean;
}

/** What is known about a token contract. */
export interface PoisoningTokenFacts {
  readonly listedAs: ListedAs | undefined;
  readonly mimicsSystem: boolean;
  readonly resembledToken: AddressLabel | undefined;
  /** The token that its symbol or name reads like, where the caller told them. */
  readonly namedLike: AddressLabel | undefined;
  /** Whether it is itself a labelled token of its chain, or an exchange, bridge or protocol; asked only of what resembles a token. */
  readonly isOriginal: boolean;
  /** Whether labels of this chain vouch for it; asked only of what is named like a token. A name is chosen for each chain anew. */
  readonly isWellKnown: boolean;
}

/** Facts about one target. They depend on it, the users and the labels, never on its neighbours in a batch. */
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
 * Facts about one token, called by `names` as far as the caller knows. Tokens are compared with the labelled tokens of
 * their chain, never with users.
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
