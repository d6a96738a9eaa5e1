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

/** A label that accuses an address. Of `blocked`, and of a high risk, a service warns as of `malicious`. */
export interface Accusation {
  readonly as: "malicious" | "sanctioned";
  readonly by: AddressLabel;
}

/** What all labels of one address together say of it on one chain. */
export interface LabelStanding {
  readonly accusations: readonly Accusation[];
  /** Kinds for which a label of this chain vouches: an exchange, a bridge, a protocol, a token. */
  readonly vouchedAs: ReadonlySet<AddressKind>;
  /** It is no imitation here: a label vouches for it, or one that ships does so on another chain. That excuses nothing else. */
  readonly isOriginal: boolean;
}

const noKinds: ReadonlySet<AddressKind> = new Set();
const unknown: LabelStanding = { accusations: [], vouchedAs: noKinds, isOriginal: false };

/**
 * The standing of an address on `chain` by all its labels of the family. A label vouches on the chains where it holds, and
 * only while no label of the address, on any chain of the family, accuses it or tells a risk of 2 or more.
 *
 * A kind that accuses does so whatever risk its row tells. A high risk accuses in the family, that of a token on its own
 * chain: another chain may have another contract under the address.
 */
export function standingOf(chain: Chain, labels: readonly AddressLabel[]): LabelStanding {
  if (labels.length === 0) return unknown;
  const accusations = labels.flatMap((label): readonly Accusation[] => {
    const isHigh = riskOf(label) >= HIGH_RISK && (label.kind !== "token" || holdsOn(chain, label));
    if (!isHigh && !isAccusing(label.kind)) return [];
    return [{ as: label.kind === "sanctioned" ? "sanctioned" : "malicious", by: label }];
  });
  // The risk of a token is that of its own chain.
  const isOfHere = (label: AddressLabel) => label.kind !== "token" || holdsOn(chain, label);
  const isDoubted = labels.some(
    (label) => isAccusing(label.kind) || (riskOf(label) >= DOUBTFUL_RISK && isOfHere(label)),
  );
  if (isDoubted) return { accusations, vouchedAs: noKinds, isOriginal: false };
  const vouching = labels.filter((label) => imitable[label.kind] !== "never" && holdsOn(chain, label));
  const isOriginal = vouching.length > 0 || labels.some(({ originalInFamily }) => originalInFamily === true);
  return { accusations, vouchedAs: new Set(vouching.map(({ kind }) => kind)), isOriginal };
}

/** Whether a label says something of its address on `chain`. What accuses holds in the family. */
export function holdsOn(chain: Chain, { kind, chain: named, everywhere }: AddressLabel): boolean {
  return imitable[kind] === "never" || everywhere === true || named.id === chain.id;
}

/** How a finding names the label: by its kind, and by its risk where only that accuses. */
export function accusationText({ by: { kind, riskLevel } }: Accusation): string {
  return isAccusing(kind) ? kind : `${kind} of risk ${riskLevel}`;
}

function riskOf({ kind, riskLevel }: AddressLabel): number {
  return riskBy(kind, riskLevel);
}
