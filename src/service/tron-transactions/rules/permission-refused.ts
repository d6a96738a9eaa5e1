import type { TronRule } from "./rule.ts";

/** An update that every node refuses was made by something broken, or to be looked at and not to be sent. */
export const permissionRefused: TronRule = ({ permissions }) =>
  permissions === undefined || permissions.refusals.length === 0
    ? undefined
    : `no node would take this update: ${permissions.refusals.join("; ")}`;
