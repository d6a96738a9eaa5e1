import type { LostRight, RemovedKey } from "../permissions/removed-keys.ts";
import { operationsText } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** T6: an update drops every key that it does not repeat. The owner may rely on a dropped key. */
export const keysRemoved: TronRule = ({ permissions }) =>
  permissions === undefined || permissions.removed.length === 0
    ? undefined
    : `takes every right from ${permissions.removed.map(keyText).join("; ")}`;

function keyText({ address, rights }: RemovedKey): string {
  return `${address} (${rights.map(rightText).join(", and ")})`;
}

function rightText({ of, weight, threshold, types }: LostRight): string {
  const what = of === "active" ? `active for ${operationsText(types) || "nothing"}` : of;
  return `${what}, with weight ${weight} of a threshold of ${threshold}`;
}
