import type { TokenSecurityData } from "../../src/api/schemas/token-security.ts";

/** An answer about a token without findings; `name` distinguishes two of these answers. */
export function tokenData(name = "Token"): TokenSecurityData {
  return {
    address: "1:0xdac17f958d2ee523a2206206994597c13d831ec7",
    address_type: "ERC20",
    overall_risk_level: "No Obvious Risk",
    overall_score: "0",
    basic_info: {
      token_name: name,
      token_symbol: "TKN",
      token_decimals: "18",
      days_deployed: "",
      is_mintable: "0",
      is_in_dex: "1",
      verified: "1",
    },
    privileges: { owner_address: "", owner_type: "", dev_malicious: "0" },
    security_risks: { is_honeypot: "0", hidden_owner: "0", self_destruct: "0", unlimited_mintable: "0" },
    token_market: {
      holders_count: "",
      owner_token_percent: "",
      holders_concentration: { top1_eoa_concentration: "", top5_eoa_concentration: "" },
    },
    trade_analysis: { sell_tax: "0", transfer_tax: "0" },
    transfer_restrictions: { is_anti_whale: "0", transfer_pausable: "0", transfer_blacklist: "0" },
    threat_intelligence: { risk_level: "", trust_level: "" },
    scanned_time: 1_767_225_600,
    unknown: [],
  };
}
