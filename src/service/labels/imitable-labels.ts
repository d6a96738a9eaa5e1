import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { LookalikeIndex } from "../lookalikes/lookalike-index.ts";
import type { AddressLabel } from "./label.ts";

/** A label and the bits that an address must share with it to count as imitating it; 0 when any shape will do. */
export interface BarredLabel {
  readonly label: AddressLabel;
  readonly barBits: number;
}

/** Labels of one family that are looked up by likeness. */
export class ImitableLabels {
  readonly #entries: readonly BarredLabel[];
  readonly #index: LookalikeIndex;

  constructor(family: Family, entries: readonly BarredLabel[]) {
    const addresses = entries.map(({ label }) => label.address);
    this.#entries = entries;
    this.#index = new LookalikeIndex(family, addresses);
  }

  /** The label that `address` imitates; of several the one with the most matched bits, of equals the first. */
  imitatedBy(address: CanonicalAddress): AddressLabel | undefined {
    const nearest = this.#index.nearest(address, (ordinal) => this.#entries[ordinal]?.barBits ?? 0);
    return nearest === undefined ? undefined : this.#entries[nearest.ordinal]?.label;
  }
}
