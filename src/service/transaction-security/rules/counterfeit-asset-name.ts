import { type MessageValue, textIn } from "../../../chains/tron/message-value.ts";
import { imitatesTokenName } from "../../address-poisoning/token-name.ts";
import type { Facts } from "../facts.ts";
import type { Finds } from "./rule.ts";

/** Names of what is no TRC-10: the native coin, and dollar tokens that are contracts. */
const wellKnownNames = ["TRX", "TRON", "USDT", "Tether", "Tether USD", "USDC", "USD Coin", "USDD", "TUSD", "TrueUSD"];

/** T11: a TRC-10 that is called like the coin or a dollar token is made to be taken for it. An id is no name. */
export const counterfeitAssetName: Finds = (facts) => {
  const name = namesIn(facts).find((each) => wellKnownNames.some((known) => imitatesTokenName(each, known)));
  return name === undefined ? undefined : `a TRC-10 that is called ${name}: neither TRX nor a dollar token is one`;
};

function namesIn({ operation }: Facts): readonly string[] {
  if (operation === undefined) return [];
  return namesOf(operation.type, operation.value);
}

function namesOf(type: string, value: MessageValue): readonly string[] {
  if (type === "AssetIssueContract") return [textIn(value, "name"), textIn(value, "abbr")];
  if (type === "TransferAssetContract" || type === "ParticipateAssetIssueContract")
    return [textIn(value, "asset_name")];
  return [];
}
