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

/** Which keys can act by a permission. The result is exact, because weights and thresholds are integers of any size. */
export interface PermissionReach {
  /** The user's own key alone reaches the threshold. */
  readonly user: boolean;
  /** All other keys together reach the threshold without the user's key. */
  readonly others: boolean;
  /** All keys together reach the threshold. */
  readonly anybody: boolean;
  /** Other keys that each reach the threshold alone. */
  readonly loneOthers: readonly CanonicalAddress[];
  /** All keys except the user's. */
  readonly strangers: readonly CanonicalAddress[];
}

export interface AnalysedPermission extends Permission {
  readonly reach: PermissionReach;
}

export interface AnalysedOwner extends AnalysedPermission {
  /** Some keys other than the user's gain full control by the update. */
  readonly strangersGain: boolean;
  /** The user loses full control that the user's key had before, alone or with some other keys. */
  readonly userLoses: boolean;
}

export interface AnalysedActive extends AnalysedPermission {
  readonly granted: GrantedOperations;
  /** Operations that other keys gain by the permission, without the user's key. */
  readonly gained: readonly ContractType[];
  /**
   * Operations that other keys had before and keep by the permission, without the user's key. Dropping the permission
   * would take these operations away.
   */
  readonly kept: readonly ContractType[];
}

/**
 * The state of an account after an AccountPermissionUpdateContract. The update drops every permission that it does not
 * repeat.
 */
export interface PermissionUpdate {
  readonly owner: AnalysedOwner | undefined;
  readonly witness: AnalysedPermission | undefined;
  /** Keys other than the user's that gain the right to produce blocks for the user. */
  readonly newWitnesses: readonly CanonicalAddress[];
  readonly actives: readonly AnalysedActive[];
  /**
   * True when the user's own key reached an active permission before. Also true when the earlier permissions are
   * unknown.
   */
  readonly userWasActive: boolean;
  /** Operations that the user's own key had by an active permission before, and has by none after the update. */
  readonly lost: readonly ContractType[];
  /** Keys that were in a permission before and are in none after the update. */
  readonly removed: readonly RemovedKey[];
  /** Why a node would refuse the update, by java-tron's AccountPermissionUpdateActuator. */
  readonly refusals: readonly string[];
}

/**
 * Computes which keys reach the threshold of a permission. A key that is listed twice counts with both weights,
 * although a node would refuse it. A threshold of 0 is reached without any key.
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
 * Analyses the payload of an AccountPermissionUpdateContract. The user is its owner_address. The update is compared
 * with the present permissions of the account. When no node was asked, it is compared with the initial ones: the user's
 * own key.
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

/**
 * An update with too many active permissions gets no comparison with the present ones. All operations that other keys
 * can do by it count as gained.
 */
function gainedBy(active: Active, count: number, before: PermissionSet, user: CanonicalAddress) {
  if (count <= MAX_ACTIVES) return gainedTypes(active, before, user);
  return reachOf(active, user).others ? active.granted.types : [];
}

/**
 * The initial permissions of every account. The owner permission has one key. An active permission of the same key
 * allows everything except changing permissions. Source: java-tron, AccountCapsule, createDefaultOwnerPermission and
 * createDefaultActivePermission.
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

/** Source: java-tron, AccountPermissionUpdateActuator. The limit on keys is the chain parameter TOTAL_SIGN_NUM. */
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
