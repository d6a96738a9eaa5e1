import type { CanonicalAddress } from "../../chains/address.ts";
import { KeyBuckets, keyOf } from "../lookalikes/key-buckets.ts";
import type { AddressLabel } from "./label.ts";

/** Labels of one family by exactly their address. */
export class LabelledAddresses {
  readonly #labels: readonly AddressLabel[];
  readonly #buckets: KeyBuckets;

  constructor(labels: readonly AddressLabel[]) {
    this.#labels = labels;
    const keys = new Uint32Array(labels.length);
    for (const [i, { address }] of labels.entries()) keys[i] = keyOf(address, address.length, 0);
    this.#buckets = new KeyBuckets(keys);
  }

  /** Whether `address` carries a label that `suits`. */
  has(address: CanonicalAddress, suits: (label: AddressLabel) => boolean): boolean {
    return this.of(address).some(suits);
  }

  /** All labels of exactly this address. */
  of(address: CanonicalAddress): readonly AddressLabel[] {
    const found: AddressLabel[] = [];
    const key = keyOf(address, address.length, 0);
    for (let position = this.#buckets.first(key); position >= 0; position = this.#buckets.next(key, position)) {
      const label = this.#labels[this.#buckets.ordinalAt(position)];
      if (label?.address === address) found.push(label);
    }
    return found;
  }
}
