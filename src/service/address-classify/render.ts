import type { ClassifyData } from "../../api/schemas/address-classify.ts";
import { timestamp } from "../../kernel/clock.ts";
import type { Verification } from "../evm/verifier.ts";
import { classifications } from "./classification.ts";
import type { AccountFacts } from "./gather.ts";
import type { Judgement } from "./judge.ts";

/**
 * `status` inside data: the classification is done. No other value exists, because an unfinished classification has no
 * data.
 */
const DONE = 1;

/** Renders a classification as the interface spells it. `nowMs` is Unix time. */
export function render(
  { chainId, address }: { readonly chainId: string; readonly address: string },
  { proxy, code }: AccountFacts,
  { classification, isErc20 }: Judgement,
  verification: Verification,
  nowMs: number,
): ClassifyData {
  const { id, family } = classifications[classification];
  return {
    address: `${chainId}:${address}`,
    address_type: family,
    classification,
    classification_id: id,
    details: {
      is_verified: verification === "verified",
      proxy_impl_address: proxy?.implementation ?? "",
      proxy_impl_type: proxy?.type ?? "",
    },
    is_erc20: isErc20 ? "1" : "0",
    scanned_time: Math.floor(nowMs / 1_000),
    status: DONE,
    timestamp: timestamp(nowMs),
    verify_status: code.length === 0 || proxy?.type === "EIP-7702" ? "not_a_contract" : verification,
  };
}
