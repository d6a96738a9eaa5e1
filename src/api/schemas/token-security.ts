import { z } from "zod";
import { envelope, InProgress } from "../envelope.ts";
import { ChainIdText, Flag } from "../fields.ts";

/**
 * The name of the wait flag is "not shown" in the interface. Source: docs/decisions/0001-open-points.md, "Token
 * security".
 */
export const TokenSecurityRequest = z
  .object({
    chainId: ChainIdText,
    address: z.string().describe("Address of the token contract."),
    wait: z
      .boolean()
      .default(false)
      .describe("True waits for the analysis instead of an answer that is still in progress."),
  })
  .meta({ id: "TokenSecurityRequest" });
export type TokenSecurityRequest = z.infer<typeof TokenSecurityRequest>;

/** Numbers and labels that could not be determined are the empty string. Their names stand in `unknown`. */
export const TokenSecurityData = z.looseObject({
  address: z.string().describe("Address in the form <chain_prefix>:<address>."),
  address_type: z.string(),
  overall_risk_level: z.string(),
  overall_score: z.string(),
  basic_info: z.looseObject({
    token_name: z.string(),
    token_symbol: z.string(),
    token_decimals: z.string(),
    days_deployed: z.string(),
    is_mintable: Flag,
    is_in_dex: Flag,
    verified: Flag,
  }),
  privileges: z.looseObject({ owner_address: z.string(), owner_type: z.string(), dev_malicious: Flag }),
  security_risks: z.looseObject({
    is_honeypot: Flag,
    hidden_owner: Flag,
    self_destruct: Flag,
    unlimited_mintable: Flag,
  }),
  token_market: z.looseObject({
    holders_count: z.string(),
    owner_token_percent: z.string(),
    holders_concentration: z.looseObject({ top1_eoa_concentration: z.string(), top5_eoa_concentration: z.string() }),
  }),
  trade_analysis: z.looseObject({ sell_tax: z.string(), transfer_tax: z.string() }),
  transfer_restrictions: z.looseObject({
    is_anti_whale: Flag,
    transfer_pausable: Flag,
    transfer_blacklist: Flag,
  }),
  threat_intelligence: z.looseObject({ risk_level: z.string(), trust_level: z.string() }),
  scanned_time: z.number().int().describe("Time of the scan, in Unix seconds."),
  unknown: z.array(z.string()).optional().describe("Extra: dotted names of the fields without evidence."),
});
export type TokenSecurityData = z.infer<typeof TokenSecurityData>;

export const TokenSecurityResponse = z
  .union([envelope(TokenSecurityData), InProgress])
  .meta({ id: "TokenSecurityResponse" });
export type TokenSecurityResponse = z.infer<typeof TokenSecurityResponse>;
