import type { CanonicalAddress } from "../../../chains/address.ts";
import {
  addressIn,
  integerIn,
  type MessageValue,
  messageIn,
  messagesIn,
} from "../../../chains/tron/message/message-value.ts";

/** Limits of nodes. Source: java-tron, AccountPermissionUpdateActuator. */
const MAX_KEYS = 5;
const MAX_ACTIVES = 8;

interface Shares {
  readonly threshold: bigint;
  /** Weight by key. Undefined when a node would refuse the permission. */
  readonly weights: ReadonlyMap<CanonicalAddress, bigint> | undefined;
}

/**
 * The user's other addresses among the keys of a permission update, when every key is one of the user's addresses.
 *
 * The user may know an address that is not the user's own. So the owner's key stays in the owner permission, and no
 * other key reaches any threshold alone. Undefined otherwise, and for an update that a node would refuse.
 */
export function ownKeys(
  value: MessageValue,
  owner: CanonicalAddress,
  isOwn: (address: CanonicalAddress) => boolean,
): readonly CanonicalAddress[] | undefined {
  const ownerPermission = messageIn(value, "owner");
  const witness = messageIn(value, "witness");
  const actives = messagesIn(value, "actives");
  if (ownerPermission === undefined || actives.length === 0 || actives.length > MAX_ACTIVES) return undefined;
  const all = [ownerPermission, ...(witness === undefined ? [] : [witness]), ...actives].map(sharesOf);
  if (!all.every((shares) => isShared(shares, owner, isOwn)) || all[0]?.weights?.has(owner) !== true) return undefined;
  const keys = new Set(all.flatMap(({ weights }) => [...(weights?.keys() ?? [])]));
  return [...keys].filter((address) => address !== owner);
}

function sharesOf(permission: MessageValue): Shares {
  const keys = messagesIn(permission, "keys");
  const weights = new Map<CanonicalAddress, bigint>();
  for (const key of keys) {
    const address = addressIn(key, "address");
    const weight = integerIn(key, "weight");
    if (address !== undefined && weight > 0n) weights.set(address, weight);
  }
  const isWhole = weights.size === keys.length && keys.length <= MAX_KEYS;
  return { threshold: integerIn(permission, "threshold"), weights: isWhole ? weights : undefined };
}

/** Whether the keys are the user's and reach the threshold, and no key but the owner's reaches it alone. */
function isShared(
  { threshold, weights }: Shares,
  owner: CanonicalAddress,
  isOwn: (address: CanonicalAddress) => boolean,
): boolean {
  if (weights === undefined || threshold <= 0n) return false;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0n);
  const isFair = ([address, weight]: [CanonicalAddress, bigint]) =>
    isOwn(address) && (address === owner || weight < threshold);
  return total >= threshold && [...weights].every(isFair);
}
