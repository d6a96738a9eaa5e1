import type { CanonicalAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import type { Imitator, PoisoningEvidence } from "../../messages/evidence.ts";
import type { Outcome } from "../answers/outcome.ts";

type Compared = Outcome<PoisoningEvidence>;

/**
 * Adds to an answer that does not say `mimics_user` what the worker's own rule sees: targets that look like an address of the
 * event's user. A service may not compare users, or say '0' of an imitation.
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

/** Adds what the rule sees to the answer about one target. Nearly every event has one target, and no imitator. */
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

/** Adds what the rule sees to the evidence about one target. */
export function withImitatorFromHistory(
  evidence: PoisoningEvidence,
  family: Family,
  target: CanonicalAddress,
  users: readonly CanonicalAddress[],
): PoisoningEvidence {
  if (evidence.target.mimics_user === "1" || imitatedBy(family, target, users) === undefined) return evidence;
  return { ...evidence, imitators: imitatorsAmong(family, [target], users) };
}

/** Whether the answer says of a target that it imitates no user, or says nothing. */
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

/** The user's address that the target looks like. */
function imitatedBy(
  family: Family,
  target: CanonicalAddress,
  users: readonly CanonicalAddress[],
): CanonicalAddress | undefined {
  for (const user of users) if (lookalike(family, target, user) !== undefined) return user;
  return undefined;
}
