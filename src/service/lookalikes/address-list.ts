import type { CanonicalAddress } from "../../chains/address.ts";

/** Addresses by their place: an array, or whatever keeps them more densely. */
export interface IndexedAddresses {
  readonly length: number;
  at(place: number): CanonicalAddress | undefined;
}
