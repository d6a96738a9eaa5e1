import { movesAssets } from "./operation-classes.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";
import { strangersActives, strangersIn } from "./strangers-actives.ts";

/** T4: other keys gain operations that move the account's assets. */
export const activeMovesAssets: TronRule = (facts) => {
  for (const active of strangersActives(facts)) {
    const types = active.gained.filter((type) => movesAssets.has(type));
    if (types.length > 0)
      return `lets ${strangersIn(active)} move the account's assets without you: ${operationsText(types)}`;
  }
  return undefined;
};
