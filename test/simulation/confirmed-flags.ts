import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { findChain } from "../../src/chains/registry.ts";
import { canaryPairs } from "../../src/worker/batching/calibration/canary-pairs.generated.ts";
import type { Expected } from "./expected.ts";
import { didSing, type LoggedItem, type LoggedRequest } from "./service-log.ts";
import { type Item, itemKey } from "./truth.ts";

type Flags = Readonly<Record<string, unknown>>;

/** Confirmations of flags without a user, after which such a flag counts without a confirmation. */
const LEARNED = 16;

const canaryUsers = new Set<string>(canaryPairs.map(({ user }) => user));
const compared = ["is_poisoning", "mimics_user", "mimics_exchange", "mimics_top_token"];

/**
 * Whether a verdict may use a flag from a batch request. It may in three cases:
 * - The flag imitates one of the event's own users.
 * - The service raised equal flags without any user of the event.
 * - The service confirmed many other flags, and the evidence says `believed`.
 */
export function isConfirmed(
  flags: { readonly target: Flags; readonly token?: Flags; readonly believed?: unknown },
  { target, token, users }: Expected & { readonly target: Item },
  { life }: LoggedRequest,
  log: readonly LoggedRequest[],
): boolean {
  if (flags.target["mimics_user"] === "1") return users.some((user) => imitates(target, user));
  const among = log.filter((each) => each.life === life && isAmongCanaries(each));
  if (flags.believed === "learned")
    return among.flatMap(({ answer }) => answer?.targets.filter(isOwnFlag) ?? []).length >= LEARNED;
  return among.some(
    ({ answer, ...request }) =>
      answer !== undefined &&
      didSing({ ...request, answer }, target.chain_id) &&
      says(answer.targets, target, flags.target) &&
      (token === undefined || flags.token === undefined || says(answer.tokens, token, flags.token)),
  );
}

/** Whether a request holds no users except those of canaries. */
function isAmongCanaries({ users, canaries }: LoggedRequest): boolean {
  return canaries.size > 0 && users.every(({ address }) => canaryUsers.has(address));
}

function isOwnFlag({ flags }: LoggedItem): boolean {
  return flags?.["is_poisoning"] === "1" && flags["mimics_user"] === "0";
}

function says(items: readonly LoggedItem[], item: Item, flags: Flags): boolean {
  const found = items.find((each) => itemKey(each) === itemKey(item));
  return found?.flags !== undefined && compared.every((name) => found.flags?.[name] === flags[name]);
}

function imitates(target: Item, user: Item): boolean {
  const family = findChain(target.chain_id)?.family;
  return (
    family !== undefined &&
    findChain(user.chain_id)?.family === family &&
    lookalike(family, target.address as CanonicalAddress, user.address as CanonicalAddress) !== undefined
  );
}
