import type { TronRule } from "./rule.ts";

/** T7: no web site has a reason to propose new permissions. Owners change permissions in their wallet. */
export const permissionUpdateFromSite: TronRule = ({ permissions, site }) =>
  permissions === undefined || site === undefined
    ? undefined
    : `${site.host} asks you to change who controls your account; no site needs that`;
