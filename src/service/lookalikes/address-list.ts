import type { CanonicalAddress } from "../../chains/address.ts";

/** Addresses by position: an array, or a denser form of storage. */
export interface IndexedAddresses {
  readonly length: number;
  at(place: number): CanonicalAddress | undefined;
}
