import type { Finds } from "./rule.ts";

/** T6: an update drops whatever it does not repeat, perhaps a key that the owner relies on. */
export const keysRemoved: Finds = ({ permissions }) =>
  permissions === undefined || permissions.removed.length === 0
    ? undefined
    : `takes every right from ${permissions.removed.join(", ")}`;
