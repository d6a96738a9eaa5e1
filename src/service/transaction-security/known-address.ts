import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { LabelBook } from "../labels/label-book.ts";

/** What is known about an address that an operation deals with. */
export interface KnownAddress {
  readonly address: CanonicalAddress;
  readonly isOwner: boolean;
  /** The address that nobody has a key of: 20 bytes of zero. */
  readonly isZero: boolean;
  readonly isToken: boolean;
  /** A labelled protocol or bridge: a contract that people mean to let spend. */
  readonly isService: boolean;
  /** Labelled as an exchange, a bridge, a protocol or a token. */
  readonly isWellKnown: boolean;
  readonly resemblesOwner: boolean;
  /** The exchange, bridge, protocol or token that it is taken for; none for what is well known itself. */
  readonly imitated: AddressLabel | undefined;
}

/** Base58check of 41 and 20 bytes of zero. */
export const ZERO_ADDRESS = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";

export function knownAddress(
  chain: Chain,
  address: CanonicalAddress,
  owner: CanonicalAddress,
  labels: LabelBook,
): KnownAddress {
  const isWellKnown = labels.isWellKnown(chain, address);
  return {
    address,
    isOwner: address === owner,
    isZero: address === ZERO_ADDRESS,
    isToken: labels.isToken(chain, address),
    isService: isServiceAt(chain, address, labels),
    isWellKnown,
    resemblesOwner: lookalike(chain.family, owner, address) !== undefined,
    imitated: isWellKnown
      ? undefined
      : (labels.wellKnownImitatedBy(chain.family, address) ?? labels.tokenImitatedBy(chain, address)),
  };
}

/** A labelled protocol or bridge. */
export function isServiceAt(chain: Chain, address: CanonicalAddress, labels: LabelBook): boolean {
  return labels.hasKind(chain, address, "protocol") || labels.hasKind(chain, address, "bridge");
}
