import type { CanonicalAddress } from "../../chains/address.ts";
import {
  addressIn,
  hexIn,
  integerIn,
  type MessageValue,
  messageIn,
  messagesIn,
  textIn,
} from "../../chains/tron/message-value.ts";
import { type GrantedOperations, grantedBy } from "../../chains/tron/operations-bits.ts";

export interface Key {
  readonly address: CanonicalAddress;
  readonly weight: bigint;
}

/** One permission as an update would set it. */
export interface Permission {
  readonly name: string;
  readonly threshold: bigint;
  readonly keys: readonly Key[];
}

/** Who can act by a permission. Exact: weights and thresholds are integers of any size. */
export interface Reach {
  /** The user's own key reaches the threshold. */
  readonly user: boolean;
  /** Others reach it without him, all of them together at least. */
  readonly others: boolean;
  /** Some reach it at all. */
  readonly anybody: boolean;
  /** Others of whom each reaches it alone. */
  readonly loneOthers: readonly CanonicalAddress[];
  /** Every other key. */
  readonly strangers: readonly CanonicalAddress[];
}

export interface AnalysedPermission extends Permission {
  readonly reach: Reach;
}

export interface AnalysedActive extends AnalysedPermission {
  readonly granted: GrantedOperations;
}

/** What AccountPermissionUpdateContract leaves an account with: everything that it does not repeat is gone. */
export interface PermissionUpdate {
  readonly owner: AnalysedPermission | undefined;
  readonly witness: AnalysedPermission | undefined;
  readonly actives: readonly AnalysedActive[];
  /** Why a node would refuse it, by java-tron's AccountPermissionUpdateActuator. */
  readonly refusals: readonly string[];
}

/**
 * Who reaches the threshold of a permission. A key that stands there twice counts with both weights, though a node would
 * refuse it. Of a threshold of nothing everybody reaches it.
 */
export function reachOf({ threshold, keys }: Permission, user: CanonicalAddress): Reach {
  const weights = new Map<CanonicalAddress, bigint>();
  for (const { address, weight } of keys) weights.set(address, (weights.get(address) ?? 0n) + weight);
  const own = weights.get(user) ?? 0n;
  const strangers = [...weights.keys()].filter((address) => address !== user);
  const theirs = strangers.reduce((sum, address) => sum + (weights.get(address) ?? 0n), 0n);
  return {
    user: own >= threshold,
    others: theirs >= threshold,
    anybody: own + theirs >= threshold,
    loneOthers: strangers.filter((address) => (weights.get(address) ?? 0n) >= threshold),
    strangers,
  };
}

/** Analyses the payload of an AccountPermissionUpdateContract. The user is its owner_address and nobody else. */
export function analyseUpdate(value: MessageValue, user: CanonicalAddress): PermissionUpdate {
  const analysed = (message: MessageValue): AnalysedPermission => {
    const permission = permissionOf(message);
    return { ...permission, reach: reachOf(permission, user) };
  };
  const [owner, witness] = ["owner", "witness"].map((name) => messageIn(value, name));
  const actives = messagesIn(value, "actives");
  return {
    owner: owner === undefined ? undefined : analysed(owner),
    witness: witness === undefined ? undefined : analysed(witness),
    actives: actives.map((active) => ({ ...analysed(active), granted: grantedBy(hexIn(active, "operations")) })),
    refusals: [
      ...(owner === undefined ? ["the owner permission is missing"] : refusalsOf(permissionOf(owner), "owner")),
      ...(witness === undefined ? [] : refusalsOf(permissionOf(witness), "witness")),
      ...(actives.length === 0 ? ["no active permission is left"] : []),
      ...(actives.length > MAX_ACTIVES ? [`more than ${MAX_ACTIVES} active permissions`] : []),
      ...actives.flatMap((active, i) => refusalsOf(permissionOf(active), `active ${i}`)),
    ],
  };
}

/** Source: java-tron, AccountPermissionUpdateActuator; the keys are a parameter of the chain, TOTAL_SIGN_NUM. */
const MAX_ACTIVES = 8;
const MAX_KEYS = 5;

function permissionOf(message: MessageValue): Permission {
  const keys = messagesIn(message, "keys").flatMap((key): Key[] => {
    const address = addressIn(key, "address");
    return address === undefined ? [] : [{ address, weight: integerIn(key, "weight") }];
  });
  return { name: textIn(message, "permission_name"), threshold: integerIn(message, "threshold"), keys };
}

function refusalsOf({ threshold, keys }: Permission, name: string): string[] {
  const total = keys.reduce((sum, { weight }) => sum + weight, 0n);
  const refusals: string[] = [];
  if (keys.length > MAX_KEYS) refusals.push(`${name}: more than ${MAX_KEYS} keys`);
  if (new Set(keys.map(({ address }) => address)).size < keys.length)
    refusals.push(`${name}: a key stands there twice`);
  if (keys.some(({ weight }) => weight <= 0n)) refusals.push(`${name}: a weight is not positive`);
  if (threshold <= 0n) refusals.push(`${name}: the threshold is not positive`);
  if (total < threshold) refusals.push(`${name}: all weights together do not reach the threshold`);
  return refusals;
}
