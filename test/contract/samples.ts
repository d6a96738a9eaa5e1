import type { RouteName } from "../../src/api/routes.ts";
import { evm, solana, tron } from "../support/service.ts";

export type Json = Readonly<Record<string, unknown>>;

const permission = {
  type: 0,
  permission_name: "owner",
  threshold: 1,
  keys: [{ address: tron.base58, weight: 1 }],
};

/** A TRON transaction with every field that the interface names. */
export const tronTransaction = {
  visible: true,
  txID: "00".repeat(32),
  raw_data_hex: "0a02",
  raw_data: {
    contract: [
      {
        type: "AccountPermissionUpdateContract",
        parameter: {
          type_url: "type.googleapis.com/protocol.AccountPermissionUpdateContract",
          value: {
            owner_address: tron.base58,
            contract_address: tron.hex,
            data: "a9059cbb",
            call_value: 1_000_000,
            call_token_value: 5,
            token_id: 1_000_001,
            owner: permission,
            witness: { ...permission, type: 1, permission_name: "witness" },
            actives: [{ ...permission, type: 2, permission_name: "active", operations: "7f".repeat(32) }],
          },
        },
      },
    ],
    ref_block_bytes: "5cd2",
    ref_block_hash: "b5b4ad8f0b5c8b2a",
    expiration: 1_700_000_060_000,
    timestamp: 1_700_000_000_000,
    fee_limit: 100_000_000,
  },
};

const single = {
  chain_id: "1",
  address: evm.stranger,
  user_address: evm.real,
  token_address: evm.token,
  token_symbol: "USDX",
  token_name: "Dollar X",
};

/** A valid request of each row, with every documented field, in the documented spelling. */
export const requests: Readonly<Record<RouteName, Json>> = {
  solanaEmulate: {
    sol_transactions: [
      { transaction: "AQID", encoding: "base64", name: "serialized" },
      {
        feePayer: solana.real,
        instructions: [
          {
            programId: solana.system,
            keys: [{ pubkey: solana.fake, isSigner: true, isWritable: true }],
            data: "AQID",
          },
        ],
        name: "structured",
      },
    ],
    requested_items: { balance_changes: false, involved_address_risks: true },
  },
  tokenSecurity: { chainId: "1", address: evm.token, wait: true },
  transactionSecurity: {
    dapp_url: "https://app.example.org/swap",
    tron_transactions: [tronTransaction],
    simulate: false,
  },
  evmTransactionSecurity: {
    chain_id: "1",
    from: evm.real,
    to: evm.token,
    value: "0",
    data: "0xdeadbeef",
    authorization_list: [{ address: evm.stranger }],
    user_addresses: [evm.stranger],
  },
  poisoningBatch: {
    user_addresses: [{ chain_id: "1", address: evm.real }],
    target_addresses: [{ chain_id: "1", address: evm.stranger }],
    token_addresses: [{ chain_id: "1", address: evm.token }],
  },
  poisoningSingle: single,
  poisoningQuery: single,
  classifyQuery: { chain_id: "1", address: evm.token, strict: "true" },
  classifyBody: { chain_id: "1", address: evm.token, strict: true },
};

const classified = {
  code: "0",
  status: "ok",
  data: {
    address: `eth:${evm.token}`,
    address_type: "Contract",
    classification: "ERC20",
    classification_id: 20,
    details: { is_verified: true, proxy_impl_address: "", proxy_impl_type: "" },
    is_erc20: "1",
    scanned_time: 1_767_225_600,
    status: 1,
    timestamp: "2026-01-01T00:00:00.000Z",
    verify_status: "Verified",
  },
};
const screened = {
  code: "0",
  status: "ok",
  data: {
    target_address: { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" },
    token_address: { is_poisoning: "0", mimics_top_token: "0", matched_token: "" },
    target_address_input: evm.stranger,
    user_address_input: evm.real,
    token_address_input: evm.token,
  },
};

/** A success answer of each row, with every documented field. */
export const answers: Readonly<Record<RouteName, Json>> = {
  solanaEmulate: {
    code: "0",
    status: "ok",
    data: {
      exec_summary: { result_code: "000000000", result_description: "ok", error_data: null },
      results: [
        {
          from: solana.real,
          to: solana.system,
          compute_units_consumed: 150,
          called_addresses: [solana.system],
          involved_addresses: [solana.real, solana.system],
          involved_addresses_risks: [{ address: solana.real, risk_level: -1 }],
          balance_changes: [
            {
              token_address: "native",
              tokenName: "Solana",
              symbol: "SOL",
              divisor: "9",
              tokenPriceUSD: "150.25",
              change_list: [
                {
                  address: solana.real,
                  amount_change: "-0.000005",
                  begin_value: "1000000000",
                  delta_value: "-5000",
                  end_value: "999995000",
                  value_usd: "-0.00075125",
                },
              ],
            },
          ],
          error: null,
          name: "serialized",
          block_height: 350_000_000,
          request_id: "6f1c1c3e-6a34-4c0e-9d0b-0a4d8f6f0c11",
        },
      ],
    },
  },
  tokenSecurity: {
    code: "0",
    status: "ok",
    data: {
      address: `eth:${evm.token}`,
      address_type: "ERC20",
      overall_risk_level: "Low Risk",
      overall_score: "12",
      basic_info: {
        token_name: "Dollar",
        token_symbol: "USD",
        token_decimals: "6",
        days_deployed: "3000",
        is_mintable: "1",
        is_in_dex: "1",
        verified: "1",
      },
      privileges: { owner_address: evm.stranger, owner_type: "EOA", dev_malicious: "0" },
      security_risks: { is_honeypot: "0", hidden_owner: "0", self_destruct: "0", unlimited_mintable: "1" },
      token_market: {
        holders_count: "5000000",
        owner_token_percent: "0.1",
        holders_concentration: { top1_eoa_concentration: "0.2", top5_eoa_concentration: "0.4" },
      },
      trade_analysis: { sell_tax: "0", transfer_tax: "0" },
      transfer_restrictions: { is_anti_whale: "0", transfer_pausable: "1", transfer_blacklist: "1" },
      threat_intelligence: { risk_level: "0", trust_level: "5" },
      scanned_time: 1_767_225_600,
    },
  },
  transactionSecurity: {
    code: "0",
    status: "ok",
    data: {
      security: {
        overall_score: 5,
        overall_risk_level: "Significant Risk",
        recommended_action: "BLOCK",
        risk_details: [{ name: "owner_permission_changed", description: "Hands the account to another key." }],
      },
    },
  },
  evmTransactionSecurity: {
    code: "0",
    status: "ok",
    data: {
      security: {
        overall_score: 2,
        overall_risk_level: "Low Risk",
        recommended_action: "WARN",
        risk_details: [{ name: "unknown_call", description: "Does something that is not known." }],
        not_analysed: ["execution", "state"],
      },
    },
  },
  poisoningBatch: {
    code: "0",
    status: "ok",
    data: {
      target_addresses: [
        { chain_id: "1", address: evm.stranger, is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" },
      ],
      token_addresses: [
        { chain_id: "1", address: evm.token, is_poisoning: "0", mimics_top_token: "0", matched_token: "" },
        { chain_id: "0", address: evm.token, error: { code: "unsupported_chain", detail: "unsupported chainId: 0" } },
      ],
    },
  },
  poisoningSingle: screened,
  poisoningQuery: screened,
  classifyQuery: classified,
  classifyBody: classified,
};

/** Further success answers that the documented states allow. */
export const furtherAnswers: readonly (readonly [what: string, name: RouteName, answer: Json])[] = [
  ["an analysis in progress", "tokenSecurity", { code: "0", status: "in progress", pollAfter: 3 }],
  ["a strict budget that was exceeded", "classifyQuery", { code: "0", status: "notok" }],
  ["a strict budget that was exceeded", "classifyBody", { code: "0", status: "notok" }],
];
