import type { CanonicalAddress } from "../../chains/address.ts";
import type { AddressFormat, Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";

/** A user and a target that imitates it, both nobody's: it proves that a request still detects anything at all. */
export interface CanaryPair {
  readonly user: CanonicalAddress;
  readonly target: CanonicalAddress;
}

/** What calibration found out about a service, for one address format. */
export interface Calibration {
  /** The weakest pair that the service flags when asked alone; empty: it flags none, and nothing is pooled. */
  readonly canaries: readonly CanaryPair[];
  /** Shapes that it may flag: users alike by one of them must not share a request. */
  readonly flaggedShapes: readonly Shape[];
}

/** Looks up what is known of a format; undefined before it was calibrated. */
export type Calibrations = (family: Family, format: AddressFormat) => Calibration | undefined;
