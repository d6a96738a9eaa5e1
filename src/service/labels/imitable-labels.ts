import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { Steps } from "../../kernel/steps.ts";
import { LookalikeIndex } from "../lookalikes/lookalike-index.ts";
import type { AddressLabel } from "./label.ts";
import { isOrnament, isWrittenDown } from "./ornament.ts";

/** A label and the bits that an address must share with it to count as imitating it; 0 when any shape will do. */
export interface BarredLabel {
  readonly label: AddressLabel;
  readonly barBits: number;
}

/** Labels of one family that are looked up by likeness. */
export class ImitableLabels {
  readonly #family: Family;
  readonly #entries: readonly BarredLabel[];
  readonly #index: LookalikeIndex;

  private constructor(family: Family, entries: readonly BarredLabel[], index: LookalikeIndex) {
    this.#family = family;
    this.#entries = entries;
    this.#index = index;
  }

  static *steps(family: Family, entries: readonly BarredLabel[]): Steps<ImitableLabels> {
    const addresses = entries.map(({ label }) => label.address);
    return new ImitableLabels(family, entries, yield* LookalikeIndex.steps(family, addresses));
  }

  /** The label that `address` imitates, ornament aside; of several the one with the most matched bits, of equals the first. */
  imitatedBy(address: CanonicalAddress): AddressLabel | undefined {
    if (isWrittenDown(this.#family, address)) return undefined;
    const nearest = this.#index.nearest(address, (ordinal, overlap) => {
      const { barBits = 0 } = this.#entries[ordinal] ?? {};
      // In a short list, such as an operator's own wallets, nobody is alike by chance: there an ornament is as telling as ever.
      return barBits > 0 && isOrnament(this.#family, address, overlap) ? Number.POSITIVE_INFINITY : barBits;
    });
    return nearest === undefined ? undefined : this.#entries[nearest.ordinal]?.label;
  }
}
