import type { CanonicalAddress } from "../../chains/address.ts";
import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Chain } from "../../chains/chain.ts";
import { MAX_BATCH_ITEMS } from "../../contract/address-poisoning.ts";
import type { PoisoningQuestion } from "../plan.ts";
import { CANARY_ITEMS } from "./calibration.ts";

/** The smallest thing that is asked: one target, perhaps a token, and users that fit into one request beside them. */
export interface Part {
  readonly chain: Chain;
  readonly target: CanonicalAddress;
  readonly token: CanonicalAddress | undefined;
  /** In one order, whatever the order of the event: a service may care, and one question is asked once. */
  readonly users: readonly CanonicalAddress[];
}

/** Beside a part's users there is room for its target, its token, and the canaries of its chain. */
export const MAX_PART_USERS = MAX_BATCH_ITEMS - 2 - CANARY_ITEMS;

/** Whether a question has one part. */
export function isOnePart({ users }: Pick<PoisoningQuestion, "users">): boolean {
  return users.length <= MAX_PART_USERS;
}

/** The parts of a question: one, unless its users exceed a request. Their flags are united: a '1' in any part stands. */
export function partsOf(question: PoisoningQuestion): readonly Part[] {
  const { chain, target, token, users: ownUsers } = question;
  if (isOnePart(question)) return [onlyPartOf(question)];
  const users = ownUsers.toSorted();
  const parts: Part[] = [];
  for (let at = 0; at < users.length; at += MAX_PART_USERS) {
    parts.push(partOf(chain, target, token, users.slice(at, at + MAX_PART_USERS)));
  }
  return parts;
}

/** That of a question which has one. */
export function onlyPartOf({ chain, target, token, users }: PoisoningQuestion): Part {
  return partOf(chain, target, token, users);
}

export function partOf(chain: Chain, target: CanonicalAddress, token: Part["token"], ownUsers: Part["users"]): Part {
  const users = ownUsers.length < 2 ? ownUsers : ownUsers.toSorted();
  return { chain, target, token, users };
}

/** One text for one question, whatever the order of its users. */
export function textOf({ chain, target, token, users }: Part): string {
  return `${chain.id}|${target}|${token ?? ""}|${users.join("|")}`;
}

/** Whether they ask the same: what is asked once at a time, and what is remembered. */
export function isSame(a: Part, b: Part): boolean {
  return a.target === b.target && a.token === b.token && haveSameUsers(a, b);
}

/** What its target is written in: what calibrations are about. */
export function formatOfPart({ chain, target }: Part): AddressFormat {
  return formatOf(chain.family, target);
}

/** Whether two parts have the very same users, on one chain. */
export function haveSameUsers(a: Part, b: Part): boolean {
  return (
    a.chain.id === b.chain.id && a.users.length === b.users.length && a.users.every((user, i) => user === b.users[i])
  );
}
