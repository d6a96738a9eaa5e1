import type { CanonicalAddress } from "../../../chains/address.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import type { AnalysedActive, PermissionReach } from "../permissions/permission-analysis.ts";
import { CHANGES_PERMISSIONS, keysText, movesAssets, operationsText, weighed } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** Active permissions by which other keys gain operations without the user. */
export function strangersActives({ permissions }: TronFacts): readonly AnalysedActive[] {
  return (permissions?.actives ?? []).filter(({ gained }) => gained.length > 0);
}

/**
 * Names the keys that reach a permission's threshold without the user, alone or together, with the threshold. The text
 * is for the user.
 */
export function strangersIn(permission: Permission & { readonly reach: PermissionReach }): string {
  const { loneOthers, strangers } = permission.reach;
  const [who, how]: readonly [readonly CanonicalAddress[], string] =
    loneOthers.length > 0 ? [loneOthers, ""] : [strangers, " together"];
  const named = who.length === 0 ? "anybody" : `${keysText(weighed(permission.keys, who))}${who.length > 1 ? how : ""}`;
  return `${named}, by a threshold of ${permission.threshold},`;
}

/** T5: a stranger with operation bit 46 can take the whole account by one more transaction. */
export const activeChangesPermissions: TronRule = (facts) => {
  const active = strangersActives(facts).find(({ gained }) => gained.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `lets ${strangersIn(active)} change the account's permissions, and so take the account`;
};

/** T4: other keys gain operations that move the account's assets. */
export const activeMovesAssets: TronRule = (facts) => {
  for (const active of strangersActives(facts)) {
    const types = active.gained.filter((type) => movesAssets.has(type));
    if (types.length > 0)
      return `lets ${strangersIn(active)} move the account's assets without you: ${operationsText(types)}`;
  }
  return undefined;
};

/** T5, kept: the keys that could take the account before still can, although this update could have ended that. */
export const activeKeepsPermissions: TronRule = ({ permissions }) => {
  const active = permissions?.actives.find(({ kept }) => kept.includes(CHANGES_PERMISSIONS));
  if (active === undefined) return undefined;
  return `leaves ${strangersIn(active)} able to change the account's permissions, as before, and so to take the account`;
};

/**
 * Other keys gain operations that neither move assets nor change permissions: vote, withdraw rewards, change settings.
 */
export const activeForStrangers: TronRule = (facts) => {
  for (const active of strangersActives(facts)) {
    const types = active.gained.filter((type) => !movesAssets.has(type) && type !== CHANGES_PERMISSIONS);
    if (types.length > 0)
      return `lets ${strangersIn(active)} act for the account without you: ${operationsText(types)}`;
  }
  return undefined;
};

/** A bit without an operation today may get an operation later. */
export const unknownOperationBits: TronRule = ({ permissions }) => {
  const ids = new Set((permissions?.actives ?? []).flatMap(({ granted }) => granted.unknownIds));
  if (ids.size === 0) return undefined;
  return `an active permission grants operations that the protocol does not have: ${[...ids]
    .sort((a, b) => a - b)
    .slice(0, 10)
    .join(", ")}`;
};

/** A stranger's key may produce blocks in the user's name. A representative may want this, and it moves no funds. */
export const witnessKeyOfStranger: TronRule = ({ permissions }) => {
  const strangers = [...new Set(permissions?.newWitnesses ?? [])];
  const witness = permissions?.witness;
  if (witness === undefined || strangers.length === 0) return undefined;
  const who = keysText(weighed(witness.keys, strangers));
  return `lets ${who} produce blocks for you, by a threshold of ${witness.threshold}`;
};

/**
 * 0 is the owner permission. 1 is the witness permission, which signs blocks only. Source: java-tron,
 * AccountPermissionUpdateActuator.
 */
const ACTIVE_IDS = { first: 2n, last: 9n } as const;

/** T13: the keys of a permission other than the owner's sign, perhaps several keys together. */
export const signsWithPermission: TronRule = ({ permissionId }) => {
  if (permissionId === 0n) return undefined;
  const isActive = permissionId >= ACTIVE_IDS.first && permissionId <= ACTIVE_IDS.last;
  const said = `is to be signed under permission ${permissionId} of the account`;
  return isActive ? said : `${said}, and no account has one of that number that signs transactions`;
};
