import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { eachInSteps, type Steps } from "../../kernel/async.ts";
import type { AddressLabel } from "../label.ts";
import { KeyBuckets } from "./key-buckets.ts";
import { subjectKey } from "./label-table.ts";
import type { LabelUnion } from "./label-union.ts";

/** Labels by exact address. */
export class LabelledAddresses {
  readonly #labels: LabelUnion;
  readonly #buckets: KeyBuckets;

  private constructor(labels: LabelUnion, buckets: KeyBuckets) {
    this.#labels = labels;
    this.#buckets = buckets;
  }

  static *steps(labels: LabelUnion): Steps<LabelledAddresses> {
    const keys = new Uint32Array(labels.length);
    yield* eachInSteps(keys, (_key, at) => {
      keys[at] = labels.keyAt(at);
    });
    return new LabelledAddresses(labels, yield* KeyBuckets.steps(keys));
  }

  /** All labels of the exact address in the family, in order. */
  of(family: Family, address: CanonicalAddress): readonly AddressLabel[] {
    let found: AddressLabel[] | undefined;
    const key = subjectKey(address);
    for (let position = this.#buckets.first(key); position >= 0; position = this.#buckets.next(key, position)) {
      const label = this.#labels.at(this.#buckets.ordinalAt(position));
      if (label === undefined || label.kind === "site") continue;
      if (label.address !== address || label.chain.family !== family) continue;
      if (found === undefined) found = [label];
      else found.push(label);
    }
    return found ?? none;
  }
}

const none: readonly AddressLabel[] = [];
