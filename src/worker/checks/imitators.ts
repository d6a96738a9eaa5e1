import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import type { Imitator, PoisoningEvidence } from "../../messages/evidence.ts";
import type { Outcome } from "../answers/outcome.ts";

type Compared = Outcome<PoisoningEvidence>;

/**
 * Adds the targets that imitate a user of the event by the worker's own rule, where the answer lacks `mimics_user`. A
 * service may not compare users, or may answer '0' for an imitation.
 */
export function withImitators(
  outcome: Compared,
  family: Family,
  targets: readonly CanonicalAddress[],
  users: readonly CanonicalAddress[],
): Compared {
  if (!outcome.ok) return outcome;
  const imitators = imitatorsAmong(family, targets, users);
  return imitators.length === 0 ? outcome : { ...outcome, value: { ...outcome.value, imitators } };
}

/**
 * Adds the imitation that the worker's rule finds to an answer about one target. Nearly every event has one target and
 * no imitator.
 */
export function withImitator(
  outcome: Compared,
  family: Family,
  target: CanonicalAddress,
  users: readonly CanonicalAddress[],
): Compared {
  if (!outcome.ok) return outcome;
  const value = withImitatorFromHistory(outcome.value, family, target, users);
  return value === outcome.value ? outcome : { ...outcome, value };
}

/** Adds the imitation that the worker's rule finds to the evidence about one target. */
export function withImitatorFromHistory(
  evidence: PoisoningEvidence,
  family: Family,
  target: CanonicalAddress,
  users: readonly CanonicalAddress[],
): PoisoningEvidence {
  if (evidence.target.mimics_user === "1" || imitatedBy(family, target, users) === undefined) return evidence;
  return { ...evidence, imitators: imitatorsAmong(family, [target], users) };
}

/** Whether the answer does not flag the target as an imitation of a user. */
export function isUnflagged(outcome: Compared | undefined): boolean {
  return outcome?.ok !== true || outcome.value.target.mimics_user !== "1";
}

function imitatorsAmong(
  family: Family,
  targets: readonly CanonicalAddress[],
  users: readonly CanonicalAddress[],
): Imitator[] {
  const found: Imitator[] = [];
  for (const target of new Set(targets)) {
    const user = imitatedBy(family, target, users);
    if (user !== undefined) found.push(users.includes(target) ? { target, user, is_user: true } : { target, user });
  }
  return found;
}

/** The user address that the target imitates. */
function imitatedBy(
  family: Family,
  target: CanonicalAddress,
  users: readonly CanonicalAddress[],
): CanonicalAddress | undefined {
  for (const user of users) if (lookalike(family, target, user) !== undefined) return user;
  return undefined;
}
