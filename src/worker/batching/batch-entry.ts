import { MAX_BATCH_ITEMS } from "../../api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import type { PoisoningQuestion } from "../plan/question.ts";
import { CANARY_ITEMS } from "./calibration/calibration.ts";

/** The smallest thing that is asked: one target, perhaps a token, and users that fit into one request beside them. */
export interface BatchEntry {
  readonly chain: Chain;
  readonly target: CanonicalAddress;
  readonly token: CanonicalAddress | undefined;
  /** In one order, whatever the order of the event: a service may care, and one question is asked once. */
  readonly users: readonly CanonicalAddress[];
}

/** From so many items on, a request holds its canaries and two parts; with fewer, company saves nothing. */
const LEAST_POOLED_ITEMS = CANARY_ITEMS + 4;

/** Whether a request may hold parts of several events: of too few items none is worth its canaries. */
export function canShareRequests({ hasBatches, maxItems }: Pick<ServiceReach, "hasBatches" | "maxItems">): boolean {
  return hasBatches && maxItems >= LEAST_POOLED_ITEMS;
}

/**
 * Most users of a part. Beside them there is room for its target, its token, and the canaries of its chain.
 *
 * @param maxItems of a request, at least 3.
 */
export function maxPartUsers(maxItems = MAX_BATCH_ITEMS): number {
  return maxItems - 2 - (maxItems < LEAST_POOLED_ITEMS ? 0 : CANARY_ITEMS);
}

/** Whether a question has one part. @param maxItems of a request. */
export function isOnePart({ users }: Pick<PoisoningQuestion, "users">, maxItems = MAX_BATCH_ITEMS): boolean {
  return users.length <= maxPartUsers(maxItems);
}

/**
 * The parts of a question: one, unless its users exceed a request. Their flags are united: a '1' in any part stands.
 *
 * @param maxItems of a request.
 */
export function partsOf(question: PoisoningQuestion, maxItems = MAX_BATCH_ITEMS): readonly BatchEntry[] {
  const { chain, target, token, users: ownUsers } = question;
  if (isOnePart(question, maxItems)) return [onlyPartOf(question)];
  const users = ownUsers.toSorted();
  const parts: BatchEntry[] = [];
  const most = maxPartUsers(maxItems);
  for (let at = 0; at < users.length; at += most) {
    parts.push(partOf(chain, target, token, users.slice(at, at + most)));
  }
  return parts;
}

/** That of a question which has one. */
export function onlyPartOf({ chain, target, token, users }: PoisoningQuestion): BatchEntry {
  return partOf(chain, target, token, users);
}

export function partOf(
  chain: Chain,
  target: CanonicalAddress,
  token: BatchEntry["token"],
  ownUsers: BatchEntry["users"],
): BatchEntry {
  const users = ownUsers.length < 2 ? ownUsers : ownUsers.toSorted();
  return { chain, target, token, users };
}

/** One text for one question, whatever the order of its users. */
export function textOf({ chain, target, token, users }: BatchEntry): string {
  return `${chain.id}|${target}|${token ?? ""}|${users.join("|")}`;
}

/** Whether they ask the same: what is asked once at a time, and what is remembered. */
export function isSame(a: BatchEntry, b: BatchEntry): boolean {
  return a.target === b.target && a.token === b.token && haveSameUsers(a, b);
}

/** What its target is written in: what calibrations are about. */
export function formatOfPart({ chain, target }: BatchEntry): AddressFormat {
  return formatOf(chain.family, target);
}

/** Whether two parts have the very same users, on one chain. */
export function haveSameUsers(a: BatchEntry, b: BatchEntry): boolean {
  return (
    a.chain.id === b.chain.id && a.users.length === b.users.length && a.users.every((user, i) => user === b.users[i])
  );
}
