import type { CanonicalAddress } from "../../../chains/address.ts";
import {
  type ContractType,
  contractTypeIds,
  isContractType,
  isUnsupportedType,
} from "../../../chains/tron/message/contract-types.ts";
import { type MessageValue, messageIn, messagesIn } from "../../../chains/tron/message/message-value.ts";
import type { GrantedOperations } from "../../../chains/tron/operations-bits.ts";
import type { PermissionSet, TronAccount } from "../tron-node.ts";
import { type Active, activeOf, type Permission, permissionOf } from "./permission.ts";
import { gainedTypes, keptTypes, lostTypes, strangersGain, userLoses } from "./permission-gain.ts";
import { type RemovedKey, removedKeys } from "./removed-keys.ts";

/** Who can act by a permission. Exact: weights and thresholds are integers of any size. */
export interface PermissionReach {
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
  readonly reach: PermissionReach;
}

export interface AnalysedOwner extends AnalysedPermission {
  /** Some who are not the user can do everything now and could not before. */
  readonly strangersGain: boolean;
  /** With whoever he could do everything before, with them the user cannot any more. */
  readonly userLoses: boolean;
}

export interface AnalysedActive extends AnalysedPermission {
  readonly granted: GrantedOperations;
  /** What others may do without the user by it, and might not before. */
  readonly gained: readonly ContractType[];
  /** What others may do without the user by it, might before, and might not if it were left out. */
  readonly kept: readonly ContractType[];
}

/** What AccountPermissionUpdateContract leaves an account with: everything that it does not repeat is gone. */
export interface PermissionUpdate {
  readonly owner: AnalysedOwner | undefined;
  readonly witness: AnalysedPermission | undefined;
  /** Keys that are not the user's and may produce blocks for him now, and might not before. */
  readonly newWitnesses: readonly CanonicalAddress[];
  readonly actives: readonly AnalysedActive[];
  /** The user's own key reached an active permission before; true where nobody asked how it was. */
  readonly userWasActive: boolean;
  /** What the user's own key could do by an active permission before, and can by none now. */
  readonly lost: readonly ContractType[];
  /** Keys that stood in a permission before and stand in none now. */
  readonly removed: readonly RemovedKey[];
  /** Why a node would refuse it, by java-tron's AccountPermissionUpdateActuator. */
  readonly refusals: readonly string[];
}

/**
 * Who reaches the threshold of a permission. A key that stands there twice counts with both weights, though a node would
 * refuse it. Of a threshold of nothing everybody reaches it.
 */
export function reachOf({ threshold, keys }: Permission, user: CanonicalAddress): PermissionReach {
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

/**
 * Analyses the payload of an AccountPermissionUpdateContract. The user is its owner_address and nobody else. What was
 * before is the account as it stands, or, where nobody was asked, what every account begins with: the user's own key.
 */
export function analyseUpdate(
  value: MessageValue,
  user: CanonicalAddress,
  present?: Pick<TronAccount, "permissions" | "isWitness">,
): PermissionUpdate {
  const before = present?.permissions ?? initialPermissions(user);
  const analysed = <P extends Permission>(permission: P) => ({ ...permission, reach: reachOf(permission, user) });
  const [owner, witness] = ["owner", "witness"].map((name) => {
    const message = messageIn(value, name);
    return message === undefined ? undefined : permissionOf(message);
  });
  const actives = messagesIn(value, "actives").map(activeOf);
  return {
    owner: owner && {
      ...analysed(owner),
      strangersGain: strangersGain(owner, [before.owner], user),
      userLoses: userLoses(owner, before.owner, user),
    },
    witness: witness && analysed(witness),
    newWitnesses: addressesIn(witness).filter((key) => key !== user && !addressesIn(before.witness).includes(key)),
    actives: actives.map((active) => ({
      ...analysed(active),
      gained: gainedBy(active, actives.length, before, user),
      kept: actives.length <= MAX_ACTIVES ? keptTypes(active, before, owner, user) : [],
    })),
    userWasActive: before.actives.some((active) => reachOf(active, user).user),
    lost: lostTypes(actives, before.actives, user),
    removed: removedKeys(before, [owner, witness, ...actives], user),
    refusals: refusalsOf(owner, witness, actives, present?.isWitness),
  };
}

/** As `gainedTypes` says it; of an update that is too long for any node, whatever others can do by it. */
function gainedBy(active: Active, count: number, before: PermissionSet, user: CanonicalAddress) {
  if (count <= MAX_ACTIVES) return gainedTypes(active, before, user);
  return reachOf(active, user).others ? active.granted.types : [];
}

/**
 * What every account begins with: one key, for everything; and an active permission of the same key for everything but
 * the permissions. Source: java-tron, AccountCapsule, createDefaultOwnerPermission and createDefaultActivePermission.
 */
export function initialPermissions(user: CanonicalAddress): PermissionSet {
  const own = { threshold: 1n, keys: [{ address: user, weight: 1n }] };
  return {
    owner: { name: "owner", ...own },
    witness: undefined,
    actives: [{ name: "active", ...own, granted: usual }],
  };
}

const usual: GrantedOperations = {
  types: Object.keys(contractTypeIds)
    .filter(isContractType)
    .filter((type) => type !== "AccountPermissionUpdateContract" && !isUnsupportedType(type)),
  unknownIds: [],
};

function addressesIn(permission: Permission | undefined): readonly CanonicalAddress[] {
  return (permission?.keys ?? []).map(({ address }) => address);
}

/** Source: java-tron, AccountPermissionUpdateActuator; the keys are a parameter of the chain, TOTAL_SIGN_NUM. */
const MAX_ACTIVES = 8;
const MAX_KEYS = 5;

function refusalsOf(
  owner: Permission | undefined,
  witness: Permission | undefined,
  actives: readonly Permission[],
  isWitness: boolean | undefined,
): readonly string[] {
  return [
    ...(owner === undefined ? ["the owner permission is missing"] : refusalsOfOne(owner, "owner")),
    ...(witness === undefined ? [] : refusalsOfOne(witness, "witness")),
    ...(witness === undefined && isWitness === true ? ["the witness permission of a representative is missing"] : []),
    ...(witness !== undefined && isWitness === false ? ["the account is no representative, and has no witness"] : []),
    ...(actives.length === 0 ? ["no active permission is left"] : []),
    ...(actives.length > MAX_ACTIVES ? [`more than ${MAX_ACTIVES} active permissions`] : []),
    ...actives.flatMap((active, i) => refusalsOfOne(active, `active ${i}`)),
  ];
}

function refusalsOfOne({ threshold, keys }: Permission, name: string): string[] {
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
