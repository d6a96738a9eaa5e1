import type { CanonicalAddress } from "../../chains/address.ts";
import { isBurnAddress } from "../../chains/burn-addresses.ts";
import type { Chain } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { labelText } from "../labels/about-address.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { isTrustedParty } from "../labels/standing.ts";

/** What Weir knows about an address in an operation. */
export interface RecognizedAddress {
  readonly address: CanonicalAddress;
  readonly isOwner: boolean;
  /** True for an address without a key. Anything that is sent there is burnt. */
  readonly isNobodys: boolean;
  /** True for an address that is labelled as a token, at whatever risk. A payment to the token's contract is lost. */
  readonly isToken: boolean;
  /** True for a token that labels vouch for. */
  readonly isTrustedToken: boolean;
  /**
   * True for an address that is labelled as a protocol or a bridge, at whatever risk. Its code decides what happens to
   * a payment.
   */
  readonly isLabelledService: boolean;
  /** True for a protocol or bridge that labels vouch for. Users give such contracts allowances on purpose. */
  readonly isService: boolean;
  /** True for an exchange, a bridge, a protocol or a token that labels vouch for. */
  readonly isWellKnown: boolean;
  /** The label of the address as text. Undefined for an address without a label. */
  readonly labelled?: string | undefined;
  readonly resemblesOwner: boolean;
  /**
   * The exchange, bridge, protocol or token that the address imitates. Undefined for an address that is well known
   * itself.
   */
  readonly imitated: AddressLabel | undefined;
}

/** Base58check of 41 and 20 bytes of zero. */
export const ZERO_ADDRESS = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";

export function recognizedAddress(
  chain: Chain,
  address: CanonicalAddress,
  owner: CanonicalAddress,
  labels: LabelBook,
): RecognizedAddress {
  const { vouchedAs, isOriginal } = labels.standingOf(chain, address);
  const isWellKnown = isTrustedParty(vouchedAs);
  return {
    address,
    isOwner: address === owner,
    isNobodys: isBurnAddress("tron", address),
    isToken: labels.isToken(chain, address),
    isTrustedToken: vouchedAs.has("token"),
    isLabelledService: labels.hasKind(chain, address, "protocol") || labels.hasKind(chain, address, "bridge"),
    isService: vouchedAs.has("protocol") || vouchedAs.has("bridge"),
    isWellKnown,
    labelled: labelText(chain, address, labels),
    resemblesOwner: lookalike(chain.family, owner, address) !== undefined,
    imitated: isOriginal
      ? undefined
      : (labels.wellKnownImitatedBy(chain.family, address) ?? labels.tokenImitatedBy(chain, address)),
  };
}
