import type { CanonicalAddress } from "../../chains/address.ts";
import type { AddressFormat, Shape } from "../../chains/address-format.ts";
import type { Family } from "../../chains/chain.ts";

/**
 * An artificial user and an artificial target that imitates it. A flag on it proves that a request detects lookalikes.
 */
export interface CanaryPair {
  readonly user: CanonicalAddress;
  readonly target: CanonicalAddress;
}

/** Where an item stands in its array: before all items of events, among them, or behind them. */
export const batchPositions = ["front", "middle", "back"] as const;
export type BatchPosition = (typeof batchPositions)[number];

/**
 * Pairs of one shape, one for each position. A service that reads only the start or the end of an array misses one of
 * the end pairs. A service that reads both ends finds the middle pair only by chance.
 */
export type CanaryPairs = Readonly<Record<BatchPosition, CanaryPair>>;

/** Items that the canaries of one chain and format take in a request: three users and three targets. */
export const CANARY_ITEMS = 2 * batchPositions.length;

/** The result of a calibration, for one address format. */
export interface Calibration {
  /** The weakest pairs that the service flags in a single request. Undefined: it flags none, and nothing is batched. */
  readonly canaries: CanaryPairs | undefined;
  /** Shapes that the service may flag. Users that are alike by one of these shapes must not share a request. */
  readonly flaggedShapes: readonly Shape[];
}

/** Looks up the calibration of a format. Returns undefined before the format is calibrated. */
export type CalibrationTable = (family: Family, format: AddressFormat) => Calibration | undefined;
