/**
 * The fields of each request and answer in the interface, and no others. They are written by hand from
 * service-interface.txt, since the schemas in src/api include additions of Weir's service.
 */

/** `true`: the value unchanged. An object: its fields. `[shape]`: a list of such values. */
export type Shape = true | readonly [Shape] | { readonly [field: string]: Shape };

const targetFlags = { is_poisoning: true, mimics_user: true, mimics_exchange: true } as const;
const tokenFlags = { is_poisoning: true, mimics_top_token: true, matched_token: true } as const;
const item = { chain_id: true, address: true, error: { code: true, detail: true } } as const;

const securityData = {
  overall_score: true,
  overall_risk_level: true,
  recommended_action: true,
  risk_details: [{ name: true, description: true }],
} as const;

const asked = [{ chain_id: true, address: true }] as const;
const single = { chain_id: true, address: true, user_address: true, token_address: true } as const;
const classified = { chain_id: true, address: true, strict: true } as const;

/** By route, the fields of a request. */
export const requests = {
  solanaEmulate: {
    sol_transactions: [{ transaction: true, encoding: true, name: true, feePayer: true, instructions: true }],
    requested_items: { balance_changes: true, involved_address_risks: true },
  },
  poisoningSingle: single,
  poisoningQuery: single,
  poisoningBatch: { user_addresses: asked, target_addresses: asked, token_addresses: asked },
  tokenSecurity: { chainId: true, address: true },
  transactionSecurity: { dapp_url: true, tron_transactions: true, simulate: true },
  classifyQuery: classified,
  classifyBody: classified,
} as const satisfies Record<string, Shape>;

const change = {
  address: true,
  amount_change: true,
  begin_value: true,
  delta_value: true,
  end_value: true,
  value_usd: true,
} as const;

const classification = {
  address: true,
  address_type: true,
  classification: true,
  classification_id: true,
  details: { is_verified: true, proxy_impl_address: true, proxy_impl_type: true },
  is_erc20: true,
  scanned_time: true,
  status: true,
  timestamp: true,
  verify_status: true,
} as const;

const poisoned = {
  target_address: targetFlags,
  token_address: tokenFlags,
  target_address_input: true,
  user_address_input: true,
  token_address_input: true,
} as const;

/** By route, the fields of `data`. */
export const answers = {
  solanaEmulate: {
    exec_summary: { result_code: true, result_description: true, error_data: true },
    results: [
      {
        from: true,
        to: true,
        compute_units_consumed: true,
        called_addresses: true,
        involved_addresses: true,
        involved_addresses_risks: [{ address: true, risk_level: true }],
        balance_changes: [
          {
            token_address: true,
            tokenName: true,
            symbol: true,
            divisor: true,
            tokenPriceUSD: true,
            change_list: [change],
          },
        ],
        error: true,
        name: true,
        block_height: true,
        request_id: true,
      },
    ],
  },
  poisoningQuery: poisoned,
  poisoningSingle: poisoned,
  poisoningBatch: {
    target_addresses: [{ ...item, ...targetFlags }],
    token_addresses: [{ ...item, ...tokenFlags }],
  },
  tokenSecurity: {
    address: true,
    address_type: true,
    overall_risk_level: true,
    overall_score: true,
    basic_info: {
      token_name: true,
      token_symbol: true,
      token_decimals: true,
      days_deployed: true,
      is_mintable: true,
      is_in_dex: true,
      verified: true,
    },
    privileges: { owner_address: true, owner_type: true, dev_malicious: true },
    security_risks: { is_honeypot: true, hidden_owner: true, self_destruct: true, unlimited_mintable: true },
    token_market: {
      holders_count: true,
      owner_token_percent: true,
      holders_concentration: { top1_eoa_concentration: true, top5_eoa_concentration: true },
    },
    trade_analysis: { sell_tax: true, transfer_tax: true },
    transfer_restrictions: { is_anti_whale: true, transfer_pausable: true, transfer_blacklist: true },
    threat_intelligence: { risk_level: true, trust_level: true },
    scanned_time: true,
  },
  transactionSecurity: { security: securityData },
  classifyQuery: classification,
  classifyBody: classification,
} as const satisfies Record<string, Shape>;

/** The value with only the fields of the shape. */
export function projected(value: unknown, shape: Shape): unknown {
  if (shape === true || typeof value !== "object" || value === null) return value;
  if (isList(shape)) return Array.isArray(value) ? value.map((each) => projected(each, shape[0])) : value;
  const fields = Object.entries(shape).filter(([field]) => Object.hasOwn(value, field));
  return Object.fromEntries(fields.map(([field, inner]) => [field, projected(Reflect.get(value, field), inner)]));
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}
