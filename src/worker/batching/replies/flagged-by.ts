import type { CanonicalAddress } from "../../../chains/address.ts";
import { formatOf, type Shape } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import { lookalike, overlap } from "../../../chains/lookalike.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import type { BatchEntry } from "../batch-entry.ts";
import { batchPositions, type CalibrationTable, type CanaryPairs } from "../canary.ts";
import type { Imitators } from "../canary-check.ts";

/**
 * Why an entry is flagged in a batch, by its flags and the worker's own rule:
 *
 * - `own-user`: the target imitates a user of the entry at least as closely as a pair that the service flags alone.
 * - `itself`: the answer names no imitated user, and the entry imitates no user of its own and no canary's user.
 * - `unknown`: any other case. A user of another event may have raised the flags.
 */
export type FlaggedBy = "own-user" | "itself" | "unknown";

/** Limit of users that are all compared with each other. */
const MOST_USERS = 8;

/** @param imitators The flags of the canaries in the same answer. */
export function flaggedBy(
  part: BatchEntry,
  { target, token }: PoisoningEvidence,
  imitators: Imitators,
  calibrations: CalibrationTable,
): FlaggedBy {
  const { chain, users } = part;
  // A service may exempt a user's own address, so only the exact question can confirm such a flag.
  if (users.includes(part.target) || (part.token !== undefined && users.includes(part.token))) return "unknown";
  if (target.mimics_user === "0") return mayBeForUser(part, calibrations) ? "unknown" : "itself";
  const isMoreFlagged =
    target.mimics_exchange === "1" || token?.is_poisoning === "1" || token?.mimics_top_token === "1";
  const isUsual = (target.is_poisoning === "1") === imitators.arePoisoning;
  if (isMoreFlagged || !isUsual || users.length > MOST_USERS) return "unknown";
  const { family } = chain;
  const calibration = calibrations(family, formatOf(family, part.target));
  if (calibration?.canaries === undefined) return "unknown";
  const proved = shapeOf(family, calibration.canaries);
  const imitates = (user: CanonicalAddress) =>
    lookalike(family, part.target, user) !== undefined && holds(proved, overlap(family, part.target, user));
  if (!users.some(imitates)) return "unknown";
  // A service may drop users that resemble each other.
  const areAlike = users.some((user, i) =>
    users.some((other, j) => i < j && areAlikeBy(calibration.flaggedShapes, family, user, other)),
  );
  return areAlike ? "unknown" : "own-user";
}

/** Whether two answers about one entry raise the same flags. */
export function haveSameFlags(a: PoisoningEvidence, b: PoisoningEvidence): boolean {
  return (
    a.target.is_poisoning === b.target.is_poisoning &&
    a.target.mimics_user === b.target.mimics_user &&
    a.target.mimics_exchange === b.target.mimics_exchange &&
    a.token?.is_poisoning === b.token?.is_poisoning &&
    a.token?.mimics_top_token === b.token?.mimics_top_token
  );
}

/** Whether the target or the token resembles a user of the entry, or a canary's user. */
function mayBeForUser(
  { chain: { family }, target, token, users }: BatchEntry,
  calibrations: CalibrationTable,
): boolean {
  return [target, ...(token === undefined ? [] : [token])].some((address) => {
    const { canaries, flaggedShapes = [] } = calibrations(family, formatOf(family, address)) ?? {};
    const others = canaries === undefined ? users : [...users, ...batchPositions.map((place) => canaries[place].user)];
    return others.some((user) => areAlikeBy(flaggedShapes, family, address, user));
  });
}

function areAlikeBy(shapes: readonly Shape[], family: Family, a: CanonicalAddress, b: CanonicalAddress): boolean {
  if (a === b || lookalike(family, a, b) !== undefined) return true;
  const shared = overlap(family, a, b);
  return shapes.some((shape) => holds(shape, shared));
}

/**
 * The most characters that any canary pair shares. A pair that shares as many is flagged alone, as the canaries are.
 */
function shapeOf(family: Family, canaries: CanaryPairs): Shape {
  const shared = batchPositions.map((place) => overlap(family, canaries[place].user, canaries[place].target));
  return {
    prefix: Math.max(...shared.map(({ prefix }) => prefix)),
    suffix: Math.max(...shared.map(({ suffix }) => suffix)),
  };
}

function holds({ prefix, suffix }: Shape, shared: Shape): boolean {
  return shared.prefix >= prefix && shared.suffix >= suffix;
}
