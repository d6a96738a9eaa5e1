import type { CanonicalAddress } from "../../chains/address.ts";
import { eachInSteps, type Steps } from "../../kernel/steps.ts";
import { KeyBuckets, keyOf } from "../lookalikes/key-buckets.ts";
import type { AddressLabel } from "./label.ts";

/** Labels of one family by exactly their address. */
export class LabelledAddresses {
  readonly #labels: readonly AddressLabel[];
  readonly #buckets: KeyBuckets;

  private constructor(labels: readonly AddressLabel[], buckets: KeyBuckets) {
    this.#labels = labels;
    this.#buckets = buckets;
  }

  static *steps(labels: readonly AddressLabel[]): Steps<LabelledAddresses> {
    const keys = new Uint32Array(labels.length);
    yield* eachInSteps(labels, ({ address }, at) => {
      keys[at] = keyOf(address, address.length, 0);
    });
    return new LabelledAddresses(labels, yield* KeyBuckets.steps(keys));
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
