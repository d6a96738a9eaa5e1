import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import type { EndingOf, Overlap } from "../../chains/lookalike.ts";
import { isNumbered } from "../../chains/numbered-address.ts";
import type { Steps } from "../../kernel/async.ts";
import type { LabelUnion } from "../../labels/index/label-union.ts";
import type { AddressLabel } from "../../labels/label.ts";
import { LookalikeIndex } from "../lookalikes/lookalike-index.ts";
import { isOrnament, isWrittenDown } from "./ornament.ts";

/**
 * Fewest matched bits of an imitation. Every plain shape carries more (Solana's 4+1 27.59). Rare shapes reach it with
 * one character beyond their least.
 */
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

  /**
   * `members` are the ordinals of labels of this family. `endingOf` returns the endings of their chain, if the chain
   * has any.
   */
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

  /**
   * The label that `address` imitates, apart from ornaments. Among several, the label with the most matched bits wins,
   * and among equals the first.
   */
  imitatedBy(address: CanonicalAddress): AddressLabel | undefined {
    // Checked first, because hundreds of numbered addresses would be compared with each numbered label.
    if (isNumbered(this.#family, address)) return undefined;
    const nearest = this.#index.nearest(
      address,
      (i, overlap) => {
        const barBits = this.#labels.barBitsAt(this.#members[i] ?? 0);
        // In a short list, such as an operator's own wallets, two addresses are not alike by chance. There, an ornament
        // counts in full.
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
 * True when two addresses share more bits between their ends than at the ends, with few differing characters. No search
 * makes such a pair, and keys for it would double the memory of a million labels.
 */
function isScattered({ prefix, suffix, bits }: Overlap): boolean {
  return bits > MOST_BITS * (prefix + suffix);
}
