import { MAX_BATCH_ITEMS } from "../../api/schemas/address-poisoning.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import type { PoisoningQuestion } from "../plan/question.ts";
import { CANARY_ITEMS } from "./canary.ts";

/** The smallest unit of a batch: one target, perhaps a token, and users that fit into one request with them. */
export interface BatchEntry {
  readonly chain: Chain;
  readonly target: CanonicalAddress;
  readonly token: CanonicalAddress | undefined;
  /** Sorted, whatever the order in the event. A service may depend on the order, and equal questions are sent once. */
  readonly users: readonly CanonicalAddress[];
}

/** A request of this size holds its canaries and two entries. Below that size a shared request saves nothing. */
const LEAST_POOLED_ITEMS = CANARY_ITEMS + 4;

/** Whether a request may hold entries of several events. A request with too few items is not worth its canaries. */
export function canShareRequests({ hasBatches, maxItems }: Pick<ServiceReach, "hasBatches" | "maxItems">): boolean {
  return hasBatches && maxItems >= LEAST_POOLED_ITEMS;
}

/**
 * Most users of one batch entry. The rest of the request has room for the target, the token and the chain's canaries.
 *
 * @param maxItems Limit of items in a request, at least 3.
 */
export function maxPartUsers(maxItems = MAX_BATCH_ITEMS): number {
  return maxItems - 2 - (maxItems < LEAST_POOLED_ITEMS ? 0 : CANARY_ITEMS);
}

/**
 * Whether a question fits into one batch entry.
 *
 * @param maxItems Limit of items in a request.
 */
export function isOnePart({ users }: Pick<PoisoningQuestion, "users">, maxItems = MAX_BATCH_ITEMS): boolean {
  return users.length <= maxPartUsers(maxItems);
}

/**
 * The batch entries of a question: one, unless the users exceed a request. A '1' in any entry flags the question.
 *
 * @param maxItems Limit of items in a request.
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

/** The batch entry of a question that fits into one entry. */
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

/** One text for one question, whatever the order of the users. */
export function textOf({ chain, target, token, users }: BatchEntry): string {
  return `${chain.id}|${target}|${token ?? ""}|${users.join("|")}`;
}

/** Whether two entries ask the same question. Equal questions are sent once at a time and share a cached answer. */
export function isSame(a: BatchEntry, b: BatchEntry): boolean {
  return a.target === b.target && a.token === b.token && haveSameUsers(a, b);
}

/** The address format of the target. Each format is calibrated by itself. */
export function formatOfPart({ chain, target }: BatchEntry): AddressFormat {
  return formatOf(chain.family, target);
}

/** Whether two entries have exactly the same users on one chain. */
export function haveSameUsers(a: BatchEntry, b: BatchEntry): boolean {
  return (
    a.chain.id === b.chain.id && a.users.length === b.users.length && a.users.every((user, i) => user === b.users[i])
  );
}
