import type { CanonicalAddress } from "../../../chains/address.ts";
import { formatOf, type Shape } from "../../../chains/address-format.ts";
import type { Family } from "../../../chains/chain.ts";
import { lookalike, overlap } from "../../../chains/lookalike.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import type { Imitators } from "../ask-pooled.ts";
import type { BatchEntry } from "../batch-entry.ts";
import { batchPositions, type Calibrations, type CanaryPairs } from "../calibration/calibration.ts";

/**
 * By what a part is flagged in a request of strangers, as its flags and our own rule tell:
 *
 * - `own-user`: its target imitates its own user by at least what the service was seen to flag alone;
 * - `itself`: no user is said to be imitated, and none of its own is, nor of the canaries';
 * - `unknown`: anything else. A stranger's user may have raised its flags.
 */
export type FlaggedBy = "own-user" | "itself" | "unknown";

/** Users up to which each is compared with each. */
const MOST_USERS = 8;

/** @param imitators what the canaries of the same answer raised. */
export function flaggedBy(
  part: BatchEntry,
  { target, token }: PoisoningEvidence,
  imitators: Imitators,
  calibrations: Calibrations,
): FlaggedBy {
  const { chain, users } = part;
  // A service may exempt what is a user's own address: such a flag is judged by nothing but the very question.
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
  // A service may drop users that resemble one another.
  const areAlike = users.some((user, i) =>
    users.some((other, j) => i < j && areAlikeBy(calibration.flaggedShapes, family, user, other)),
  );
  return areAlike ? "unknown" : "own-user";
}

/** Whether two answers about one part raise the same flags. */
export function haveSameFlags(a: PoisoningEvidence, b: PoisoningEvidence): boolean {
  return (
    a.target.is_poisoning === b.target.is_poisoning &&
    a.target.mimics_user === b.target.mimics_user &&
    a.target.mimics_exchange === b.target.mimics_exchange &&
    a.token?.is_poisoning === b.token?.is_poisoning &&
    a.token?.mimics_top_token === b.token?.mimics_top_token
  );
}

/** Whether one of its own users may be what its target or token is flagged for, or one of the canaries. */
function mayBeForUser({ chain: { family }, target, token, users }: BatchEntry, calibrations: Calibrations): boolean {
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

/** What all canary pairs share at most: whatever shares as much is flagged alone, as they were. */
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
