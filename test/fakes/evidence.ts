import type { CheckEntry, Subject } from "../../src/messages/verdict.ts";

/** Evidence without findings, as the service writes it; a test may change its fields. */
export const clean = {
  target: { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" },
  token: { is_poisoning: "0", mimics_top_token: "0", matched_token: "" },
  tokenSecurity: {
    address: "eth:0xdac17f958d2ee523a2206206994597c13d831ec7",
    address_type: "ERC20",
    overall_risk_level: "No Obvious Risk",
    overall_score: "0",
    basic_info: {
      token_name: "Tether USD",
      token_symbol: "USDT",
      token_decimals: "6",
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
    trade_analysis: { sell_tax: "", transfer_tax: "" },
    transfer_restrictions: { is_anti_whale: "0", transfer_pausable: "0", transfer_blacklist: "0" },
    threat_intelligence: { risk_level: "", trust_level: "" },
    scanned_time: 1_767_225_600,
  },
  classification: {
    address: "eth:0xdac17f958d2ee523a2206206994597c13d831ec7",
    address_type: "Contract",
    classification: "ERC20",
    classification_id: 1,
    details: { is_verified: true, proxy_impl_address: "", proxy_impl_type: "" },
    is_erc20: "1",
    scanned_time: 1_767_225_600,
    status: 0,
    timestamp: "2026-01-01T00:00:00Z",
    verify_status: "verified",
  },
  solana: {
    exec_summary: { result_code: "000000000", result_description: "ok", error_data: null },
    results: [{ error: null, involved_addresses_risks: [{ address: "payer", risk_level: 0 }], findings: [] }],
  },
  tronIntegrity: { integrity: "equal", txid: "00".repeat(32) },
  tron: {
    security: {
      overall_score: 0,
      overall_risk_level: "No Obvious Risk",
      recommended_action: "ALLOW",
      risk_details: [],
    },
  },
} as const;

/** The check entry with an answer. */
export function answered(check: CheckEntry["check"], data: unknown): CheckEntry {
  return { check, outcome: "ok", cached: false, attempts: 1, data };
}

/** Any address on Ethereum. */
export const subject = {
  type: "address",
  chain_id: "1",
  address: "0xd9a1c3788d81257612e2581a6ea0ada244853a91",
  user_addresses: ["0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5"],
} satisfies Subject;
