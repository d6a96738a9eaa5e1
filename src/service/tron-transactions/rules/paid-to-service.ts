import type { TronRule } from "./rule.ts";

/** What a service is sent it keeps, or deals with by rules of its own: usual with bridges, and with routers a mistake. */
export const paidToService: TronRule = ({ counterparty }) =>
  counterparty?.isLabelledService === true && (counterparty.role === "recipient" || counterparty.role === "beneficiary")
    ? `the ${counterparty.role} is the labelled service ${counterparty.address}, and not a person`
    : undefined;
