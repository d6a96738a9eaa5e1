import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import type { TronRule } from "./rule.ts";

/** Operations that cannot be undone, or that burn a large fee. The type alone decides. */
const changes: Partial<Readonly<Record<SupportedType, string>>> = {
  WitnessCreateContract: "burns 9,999 TRX to make the account a candidate for representative",
  ClearABIContract: "removes the contract's published interface for ever",
  ParticipateAssetIssueContract: "buys a TRC-10 from its issuer, who sets the price",
};

export const permanentChange: TronRule = ({ operation }) => changes[operation.type];
