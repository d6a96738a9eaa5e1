import type { Flag } from "../../api/fields.ts";
import type { TokenSecurityData } from "../../api/schemas/token-security.ts";
import type { CanonicalAddress } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import type { FindingName } from "../../evm-analysis/findings/finding.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { TokenFacts } from "./gather.ts";
import { levels, scoreOf } from "./score.ts";
import { tokenRisk, tokenTrust } from "./token-risk.ts";

/** The token of an analysis. */
export interface TokenSubject {
  readonly chain: Chain;
  readonly address: CanonicalAddress;
  /** The owner's address in canonical form. Undefined without an owner. */
  readonly owner: CanonicalAddress | undefined;
}

/** Renders values, and collects the names of unknown fields. */
function fields() {
  const unknown = new Set<string>();
  return {
    unknown,
    flag(name: string, value: boolean | "unknown"): Flag {
      if (value === "unknown") unknown.add(name);
      return value === true ? "1" : "0";
    },
    text(name: string, value: string | number | undefined): string {
      if (value === undefined) unknown.add(name);
      return value === undefined ? "" : String(value);
    },
  };
}

/** Classifications that are token standards. */
const standards: ReadonlySet<string> = new Set(["ERC20", "ERC721", "ERC1155", "ERC4626"]);

/** The level of an address without code. Such an address holds no token, so no flag applies. */
const NO_TOKEN = "Unknown";

/**
 * Renders an answer as the interface spells it. Fields without evidence are listed in `unknown`. `nowMs` is Unix time.
 */
export function render(facts: TokenFacts, subject: TokenSubject, labels: LabelBook, nowMs: number): TokenSecurityData {
  const { judgement, verification, told, owner, pools, trade, analysis, record } = facts;
  const { chain, address } = subject;
  const { unknown, flag, text } = fields();
  const { classification } = judgement;
  const hasCode = facts.account.code.length > 0;
  const seen = (name: FindingName): boolean | "unknown" => analysis?.findings[name].value ?? "unknown";
  const limited = either(seen("max_transaction"), seen("max_wallet"));
  // Trades without a limit are no evidence that no limit exists.
  const anti = trade.sizeLimited || limited;
  // An owner that can take back a renounced token is a hidden owner. A fake renouncement counts as well.
  const hidden = either(seen("hidden_owner"), either(seen("take_back_ownership"), seen("fake_renounce")));
  const parts = {
    address: `${chain.id}:${address}`,
    address_type: text("address_type", hasCode ? standardOf(judgement) : classification),
    basic_info: {
      token_name: text("basic_info.token_name", told.name),
      token_symbol: text("basic_info.token_symbol", told.symbol),
      token_decimals: text("basic_info.token_decimals", told.decimals),
      days_deployed: text("basic_info.days_deployed", daysSince(record.deployedAtSec, nowMs)),
      is_mintable: flag("basic_info.is_mintable", seen("mintable")),
      is_in_dex: flag("basic_info.is_in_dex", pools === undefined ? "unknown" : pools.length > 0),
      verified: flag("basic_info.verified", verification === "unknown" ? "unknown" : verification === "verified"),
    },
    privileges: {
      owner_address: text("privileges.owner_address", owner?.address),
      owner_type: text("privileges.owner_type", owner?.kind),
      dev_malicious: flag("privileges.dev_malicious", isAccused(subject, labels)),
    },
    security_risks: {
      is_honeypot: flag("security_risks.is_honeypot", trade.honeypot),
      hidden_owner: flag("security_risks.hidden_owner", hidden),
      self_destruct: flag("security_risks.self_destruct", seen("self_destruct")),
      unlimited_mintable: flag("security_risks.unlimited_mintable", seen("unlimited_mint")),
    },
    token_market: {
      holders_count: text("token_market.holders_count", record.holders),
      owner_token_percent: text("token_market.owner_token_percent", ownerPercent(facts)),
      holders_concentration: {
        top1_eoa_concentration: text("token_market.holders_concentration.top1_eoa_concentration", record.top1Percent),
        top5_eoa_concentration: text("token_market.holders_concentration.top5_eoa_concentration", record.top5Percent),
      },
    },
    trade_analysis: {
      buy_tax: text("trade_analysis.buy_tax", trade.buyTax),
      sell_tax: text("trade_analysis.sell_tax", trade.sellTax),
      transfer_tax: text("trade_analysis.transfer_tax", trade.transferTax),
      only_owner_sells: flag("trade_analysis.only_owner_sells", trade.onlyOwnerSells),
    },
    transfer_restrictions: {
      is_anti_whale: flag("transfer_restrictions.is_anti_whale", anti),
      transfer_pausable: flag("transfer_restrictions.transfer_pausable", seen("pausable")),
      transfer_blacklist: flag("transfer_restrictions.transfer_blacklist", seen("blacklist")),
    },
    threat_intelligence: {
      risk_level: text(
        "threat_intelligence.risk_level",
        tokenRisk({ chain, address, symbol: told.symbol, name: told.name }, labels),
      ),
      trust_level: text("threat_intelligence.trust_level", tokenTrust(chain, address, labels)),
    },
    scanned_time: Math.floor(nowMs / 1_000),
  };
  const score = hasCode ? scoreOf(parts, unknown) : undefined;
  const level = score === undefined ? undefined : levels[score];
  return {
    ...parts,
    overall_score: text("overall_score", score),
    // An empty level beside flags that are all '0' could be overlooked.
    overall_risk_level: hasCode ? text("overall_risk_level", level) : NO_TOKEN,
    unknown: [...unknown],
  };
}

/** The token standard of a contract, as far as it is recognized. */
function standardOf({ classification, isErc20 }: TokenFacts["judgement"]): string | undefined {
  if (standards.has(classification)) return classification;
  return isErc20 ? "ERC20" : undefined;
}

/** True when either value is true. Unknown when neither is true and at least one is unknown. */
function either(a: boolean | "unknown", b: boolean | "unknown"): boolean | "unknown" {
  if (a === true || b === true) return true;
  return a === "unknown" || b === "unknown" ? "unknown" : false;
}

/** True when labels accuse the token or its owner. The deployer is unknown. */
function isAccused({ chain, address, owner }: TokenSubject, labels: LabelBook): boolean {
  return [address, ...(owner === undefined ? [] : [owner])].some(
    (who) => labels.standingOf(chain, who).accusations.length > 0,
  );
}

/** Whole days. A deployment time in the future counts as unknown. */
function daysSince(sec: number | undefined, nowMs: number): number | undefined {
  const days = sec === undefined ? -1 : Math.floor((nowMs / 1_000 - sec) / 86_400);
  return days < 0 ? undefined : days;
}

/** Percent of the supply, rounded down to a hundredth. */
function ownerPercent({ owner, told }: TokenFacts): number | undefined {
  if (owner?.balance === undefined || told.supply === undefined || told.supply === 0n) return undefined;
  return Number((owner.balance * 10_000n) / told.supply) / 100;
}
