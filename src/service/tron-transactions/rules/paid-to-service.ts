import type { TronRule } from "./rule.ts";

/**
 * A service keeps a direct payment, or handles it by its own rules. Paying a bridge directly is usual, and paying a
 * router is a mistake.
 */
export const paidToService: TronRule = ({ counterparty }) =>
  counterparty?.isLabelledService === true && (counterparty.role === "recipient" || counterparty.role === "beneficiary")
    ? `the ${counterparty.role} is the labelled service ${counterparty.address}, and not a person`
    : undefined;
