import type { TronRule } from "./rule.ts";

/** The site is labelled with a high risk: 4 or 5. */
export const maliciousSite: TronRule = ({ site }) =>
  site !== undefined && site.riskLevel >= 4 ? `${site.host} is labelled with risk level ${site.riskLevel}` : undefined;
