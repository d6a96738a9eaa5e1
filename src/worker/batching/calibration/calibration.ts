import type { CanonicalAddress } from "../../../chains/address.ts";
import type { AddressFormat, Shape } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";

/** A user and a target that imitates it, both nobody's: it proves that a request still detects anything at all. */
export interface CanaryPair {
  readonly user: CanonicalAddress;
  readonly target: CanonicalAddress;
}

/** Where a user or target stands in its array: before everybody else's, anywhere among them, or behind them. */
export const batchPositions = ["front", "middle", "back"] as const;
export type BatchPosition = (typeof batchPositions)[number];

/**
 * Pairs of one shape, one for each place. A service that looks at the first so many users or targets only, or at the last,
 * does not find both of the ends; one that looks at both ends finds that of the middle only by chance.
 */
export type CanaryPairs = Readonly<Record<BatchPosition, CanaryPair>>;

/** Items that the canaries of one chain and format take of a request: a user and a target each. */
export const CANARY_ITEMS = 2 * batchPositions.length;

/** What calibration found out about a service, for one address format. */
export interface Calibration {
  /** The weakest pairs that the service flags when asked alone; undefined: it flags none, and nothing is pooled. */
  readonly canaries: CanaryPairs | undefined;
  /** Shapes that it may flag: users alike by one of them must not share a request. */
  readonly flaggedShapes: readonly Shape[];
}

/** Looks up what is known of a format; undefined before it was calibrated. */
export type Calibrations = (family: Family, format: AddressFormat) => Calibration | undefined;
