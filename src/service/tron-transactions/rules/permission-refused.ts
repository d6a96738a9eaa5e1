import type { TronRule } from "./rule.ts";

/** An update that every node refuses comes from broken software, or is meant to be shown and not sent. */
export const permissionRefused: TronRule = ({ permissions }) =>
  permissions === undefined || permissions.refusals.length === 0
    ? undefined
    : `no node would take this update: ${permissions.refusals.join("; ")}`;
