import type { CanonicalAddress } from "../../chains/address.ts";
import type { AddressFormat, Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";

/** A user and a target that imitates it, both nobody's: it proves that a request still detects anything at all. */
export interface CanaryPair {
  readonly user: CanonicalAddress;
  readonly target: CanonicalAddress;
}

/**
 * Two pairs of one shape, for the two ends of a request: a service that looks at the first so many users only, or at the
 * last, does not find them both.
 */
export interface CanaryPairs {
  readonly front: CanaryPair;
  readonly back: CanaryPair;
}

/** What calibration found out about a service, for one address format. */
export interface Calibration {
  /** The weakest pairs that the service flags when asked alone; undefined: it flags none, and nothing is pooled. */
  readonly canaries: CanaryPairs | undefined;
  /** Shapes that it may flag: users alike by one of them must not share a request. */
  readonly flaggedShapes: readonly Shape[];
}

/** Looks up what is known of a format; undefined before it was calibrated. */
export type Calibrations = (family: Family, format: AddressFormat) => Calibration | undefined;
