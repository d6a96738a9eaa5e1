import type { TronRule } from "./rule.ts";

/** The site is labelled with an increasing risk: 2 or 3. */
export const suspiciousSite: TronRule = ({ site }) =>
  site?.riskLevel === 2 || site?.riskLevel === 3
    ? `${site.host} is labelled with risk level ${site.riskLevel}`
    : undefined;
