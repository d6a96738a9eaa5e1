import { CHANGES_PERMISSIONS, movesAssets } from "./operation-classes.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";
import { strangersActives, strangersIn } from "./strangers-actives.ts";

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
