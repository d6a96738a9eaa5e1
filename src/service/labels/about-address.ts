import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { LabelBook } from "./label-book.ts";

/** The first label of an address on a chain as text. Undefined for an address without a label. */
export function labelText(chain: Chain, address: CanonicalAddress, labels: LabelBook): string | undefined {
  const [label] = labels.labelsOf(chain, address);
  return label && `labelled "${label.name}" (${label.kind})`;
}

/** What is known of a party, for the middle of a sentence. */
export function aboutParty({ labelled }: { readonly labelled?: string | undefined }): string {
  return labelled ?? "of whom nothing is known";
}
