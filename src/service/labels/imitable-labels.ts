import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { EndingOf, Overlap } from "../../chains/lookalike.ts";
import { isNumbered } from "../../chains/numbered-address.ts";
import type { Steps } from "../../kernel/steps.ts";
import type { LabelUnion } from "../../labels/index/label-union.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { LookalikeIndex } from "../lookalikes/lookalike-index.ts";
import { isOrnament, isWrittenDown } from "./ornament.ts";

/** Every plain shape carries more (Solana's 4+1 27.59), of the rare ones those with a character beyond the least. */
const LEAST_BITS = 27;

/** Labels of one family that are looked up by likeness. */
export class ImitableLabels {
  readonly #family: Family;
  readonly #labels: LabelUnion;
  /** Ordinal in the index -> ordinal of the label. */
  readonly #members: Uint32Array;
  readonly #index: LookalikeIndex;
  readonly #endingOf: EndingOf | undefined;

  private constructor(
    family: Family,
    labels: LabelUnion,
    members: Uint32Array,
    index: LookalikeIndex,
    endingOf: EndingOf | undefined,
  ) {
    this.#family = family;
    this.#labels = labels;
    this.#members = members;
    this.#index = index;
    this.#endingOf = endingOf;
  }

  /** `members` are the ordinals of labels of this family; `endingOf` tells the endings of their chain, if they have one. */
  static *steps(family: Family, labels: LabelUnion, members: Uint32Array, endingOf?: EndingOf): Steps<ImitableLabels> {
    const addresses = { length: members.length, at: (i: number) => labels.subjectAt(members[i] ?? 0) };
    return new ImitableLabels(
      family,
      labels,
      members,
      yield* LookalikeIndex.steps(family, addresses, "labels"),
      endingOf,
    );
  }

  /** The label that `address` imitates, ornament aside; of several the one with the most matched bits, of equals the first. */
  imitatedBy(address: CanonicalAddress): AddressLabel | undefined {
    // Asked first: hundreds of account numbers would be compared with each label that is one.
    if (isNumbered(this.#family, address)) return undefined;
    const nearest = this.#index.nearest(
      address,
      (i, overlap) => {
        const barBits = this.#labels.barBitsAt(this.#members[i] ?? 0);
        // In a short list, such as an operator's own wallets, nobody is alike by chance: there an ornament is as telling as ever.
        if (barBits > 0 && isOrnament(this.#family, address, overlap)) return Number.POSITIVE_INFINITY;
        return isScattered(overlap) ? Number.POSITIVE_INFINITY : Math.max(barBits, LEAST_BITS);
      },
      this.#endingOf,
    );
    if (nearest === undefined || isWrittenDown(this.#family, address)) return undefined;
    const label = this.#labels.at(this.#members[nearest.ordinal] ?? 0);
    return label?.kind === "site" ? undefined : label;
  }
}

/** Most bits of a character, in base58. */
const MOST_BITS = 6;

/**
 * Whether two addresses are alike between their ends, by few differing characters alone: more bits than the ends carry.
 * No search makes such a pair, and keys for it would double the memory of a million labels.
 */
function isScattered({ prefix, suffix, bits }: Overlap): boolean {
  return bits > MOST_BITS * (prefix + suffix);
}
