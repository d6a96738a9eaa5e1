import type { TokenAnswer } from "../../../../messages/evidence.ts";
import type { PolicyTable } from "../../../../policy/policy.ts";
import { quoted } from "../quoted.ts";
import type { Finding } from "../rule.ts";
import { saysUnknown } from "./token-levels.ts";

/** Words for an address without token code, as letters only. The second group of words matches by their beginning. */
const noTokens =
  /^(?:wallet|account|user|empty|none|null|na|precompile|unknown|invalid|undefined)$|^(?:delegated)?eoa|^externallyowned|^non?t?a?(?:contract|token|code|existent)|^undeployed|^selfdestruct/;
/** Texts that stand for no figure. */
const nothing = /^(?:|-+|n\/?a|null|none|unknown|undefined|0+(?:\.0+)?\s*%?|0x0*)$/i;

/**
 * Detects an answer about an address without a token. Its flags are '0' because there is no code, and clear nothing.
 * Either `address_type` says so, or the answer has no name, symbol, decimals, holders, age, owner or tax except zeros.
 * An adapter names the fields that its service lacks, and Weir's own service names fields without evidence. For such
 * answers only `address_type` counts.
 */
export function noTokenFindings(
  data: TokenAnswer,
  table: PolicyTable["findings"]["token-security"],
  whose: string,
): readonly Finding[] {
  const { address_type: type } = data;
  const of = (detail: string): readonly Finding[] => [
    { finding: "level_unknown", severity: table.level_unknown, detail },
  ];
  if (noTokens.test(type.toLowerCase().replaceAll(/[^a-z]+/g, "")))
    return of(`address_type${whose} is '${quoted(type)}': the address holds no token`);
  const namesUnknown = data.adapter !== undefined || saysUnknown(data);
  if (namesUnknown || figuresOf(data).some((text) => !nothing.test(text.trim()))) return [];
  return of(
    `the answer${whose} has no name, symbol, decimals, holders, age, owner or tax: the address may hold no token`,
  );
}

function figuresOf({ basic_info: info, privileges, token_market: market, trade_analysis: trade }: TokenAnswer) {
  const { top1_eoa_concentration: top1, top5_eoa_concentration: top5 } = market.holders_concentration;
  return [
    ...[info.token_name, info.token_symbol, info.token_decimals, info.days_deployed],
    ...[privileges.owner_address, market.holders_count, market.owner_token_percent, top1, top5],
    ...[trade.sell_tax, trade.transfer_tax],
  ];
}
