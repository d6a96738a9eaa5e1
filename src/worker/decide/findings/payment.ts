import type { PaymentEvidence } from "../../../messages/evidence.ts";
import { ruleFor } from "./rule.ts";

type Mistake = PaymentEvidence["mistakes"][number];

const details: Readonly<Record<Mistake["mistake"], (mistake: Mistake) => string>> = {
  to_token_contract: ({ to }) => `the recipient ${to} is the contract of a token: the payment is lost`,
  to_burn_address: ({ to }) => `the recipient ${to} is a burn address without a key: the payment is lost`,
  value_to_unknown_contract: ({ to, left }) =>
    left === true
      ? `coins are left in ${to}, which pays them out to its next caller`
      : `coins go to ${to} beside a call, and no label says what that contract is`,
  proceeds_to_stranger: ({ to }) =>
    `the call pays its proceeds to ${to}, which is neither the sender nor one of user_addresses`,
  recipient_on_other_chain: ({ to }) =>
    `${to} pays a recipient of another chain, whose address cannot be compared with user_addresses`,
  paid_in_unknown_token: ({ to }) => `the trade pays in ${to}, which no label names, so its worth is not known`,
  trade_at_any_price: ({ to }) => `the trade for ${to} states no least amount, so it may return nothing`,
};

/** Mistakes in the calldata. No service is asked about them. */
export const paymentRule = ruleFor("payment", ({ mistakes }, { table }) =>
  mistakes.map((mistake) => ({
    finding: mistake.mistake,
    severity: table.findings.payment[mistake.mistake],
    detail: details[mistake.mistake](mistake),
  })),
);
