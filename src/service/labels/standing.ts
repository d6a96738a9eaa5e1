import type { Chain } from "../../chains/chain.ts";
import { imitable } from "../../labels/index/imitable.ts";
import {
  type AddressKind,
  type AddressLabel,
  DOUBTFUL_RISK,
  HIGH_RISK,
  isAccusing,
  riskBy,
} from "../../labels/label.ts";

/** A label that accuses an address. `blocked` labels and high risks count as `malicious`. */
export interface Accusation {
  readonly as: "malicious" | "sanctioned";
  readonly by: AddressLabel;
}

/** The combined meaning of all labels of one address on one chain. */
export interface LabelStanding {
  readonly accusations: readonly Accusation[];
  /** Kinds that a label of this chain vouches for: an exchange, a bridge, a protocol, a token, a delegate. */
  readonly vouchedAs: ReadonlySet<AddressKind>;
  /**
   * True when the address is no imitation on this chain. Either a label vouches for it, or a bundled label does so on
   * another chain. Nothing else is excused by it.
   */
  readonly isOriginal: boolean;
}

const noKinds: ReadonlySet<AddressKind> = new Set();
const unknown: LabelStanding = { accusations: [], vouchedAs: noKinds, isOriginal: false };

/**
 * The standing of an address on `chain`, by all its labels of the family. A label vouches on the chains where it holds.
 * It vouches only while no label of the address accuses the address or gives a risk of 2 or more. Labels of any chain
 * of the family count for that.
 *
 * An accusing kind accuses at any risk of its row. A high risk accuses in the whole family. A token's risk accuses only
 * on the token's chain, because another chain may have another contract at the address.
 */
export function standingOf(chain: Chain, labels: readonly AddressLabel[]): LabelStanding {
  if (labels.length === 0) return unknown;
  const accusations = labels.flatMap((label): readonly Accusation[] => {
    const isHigh = riskOf(label) >= HIGH_RISK && (label.kind !== "token" || holdsOn(chain, label));
    if (!isHigh && !isAccusing(label.kind)) return [];
    return [{ as: label.kind === "sanctioned" ? "sanctioned" : "malicious", by: label }];
  });
  // The risk of a token counts only on its own chain.
  const isOfHere = (label: AddressLabel) => label.kind !== "token" || holdsOn(chain, label);
  const isDoubted = labels.some(
    (label) => isAccusing(label.kind) || (riskOf(label) >= DOUBTFUL_RISK && isOfHere(label)),
  );
  if (isDoubted) return { accusations, vouchedAs: noKinds, isOriginal: false };
  const vouching = labels.filter((label) => imitable[label.kind] !== "never" && holdsOn(chain, label));
  const isOriginal = vouching.length > 0 || labels.some(({ originalInFamily }) => originalInFamily === true);
  return { accusations, vouchedAs: new Set(vouching.map(({ kind }) => kind)), isOriginal };
}

/**
 * True when labels vouch for the address as an exchange, a bridge, a protocol or a token. A delegate vouches for
 * delegations alone, because a payment to the wallet's code itself is lost.
 */
export function isTrustedParty(vouchedAs: LabelStanding["vouchedAs"]): boolean {
  return vouchedAs.size > (vouchedAs.has("delegate") ? 1 : 0);
}

/** True when a label applies to its address on `chain`. An accusing label applies in the whole family. */
export function holdsOn(chain: Chain, { kind, chain: named, everywhere }: AddressLabel): boolean {
  return imitable[kind] === "never" || everywhere === true || named.id === chain.id;
}

/** The text for a label in a finding: its kind, with its risk where only the risk accuses. */
export function accusationText({ by: { kind, riskLevel } }: Accusation): string {
  return isAccusing(kind) ? kind : `${kind} of risk ${riskLevel}`;
}

function riskOf({ kind, riskLevel }: AddressLabel): number {
  return riskBy(kind, riskLevel);
}
