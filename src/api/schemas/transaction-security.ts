import { z } from "zod";
import { envelope } from "../envelope.ts";
import { ChainId, Decimal, OperationsBitmap } from "../fields.ts";
import { evmFields } from "./evm-transaction.ts";
import { hexNumberIn } from "./tron-fields.ts";

/**
 * One permission of AccountPermissionUpdateContract. `type` is an integer in the interface. tronweb writes the word
 * "Active" for active permissions and drops `type` for the owner. So a word and its absence are accepted too.
 */
const permissionFields = {
  type: z.union([z.number().int(), z.string()]).optional(),
  permission_name: z.string().optional(),
  threshold: Decimal,
  keys: z.array(z.looseObject({ address: z.string(), weight: Decimal })).min(1, "at least 1 item"),
};
const Permission = z.looseObject({ ...permissionFields, operations: OperationsBitmap.optional() });
const ActivePermission = z.looseObject({ ...permissionFields, operations: OperationsBitmap });

/**
 * Members of `parameter.value` that are amounts, counts or ids in a contract type. They are decimal at every position.
 * In all other members, at any depth, no number begins with 0x (`hexNumberIn`).
 */
const amounts = {
  amount: Decimal.optional(),
  balance: Decimal.optional(),
  call_value: Decimal.optional().describe("Native amount in sun."),
  call_token_value: Decimal.optional().describe("TRC-10 amount that is sent with the call."),
  token_id: z
    .union([Decimal, z.string().regex(/^(_|5f)$/)], { error: "must be a decimal integer" })
    .optional()
    .describe("TRC-10 asset id. An exchange contract writes TRX as _, or 5f in hex."),
  frozen_balance: Decimal.optional(),
  frozen_duration: Decimal.optional(),
  unfreeze_balance: Decimal.optional(),
  lock_period: Decimal.optional(),
  quant: Decimal.optional(),
  expected: Decimal.optional(),
  total_supply: Decimal.optional(),
  num: Decimal.optional(),
  trx_num: Decimal.optional(),
  exchange_id: Decimal.optional(),
  proposal_id: Decimal.optional(),
  sell_token_quantity: Decimal.optional(),
  buy_token_quantity: Decimal.optional(),
  votes: z.array(z.looseObject({ vote_address: z.string(), vote_count: Decimal })).optional(),
};

const ContractValue = z
  .looseObject({
    owner_address: z.string().describe("Authorizing address, as 21-byte hex or Base58."),
    contract_address: z.string().optional(),
    to_address: z.string().optional(),
    receiver_address: z.string().optional(),
    account_address: z.string().optional(),
    data: z
      .string()
      .regex(/^(0x)?([0-9a-fA-F]{2})*$/, "must be hex")
      .optional(),
    ...amounts,
    owner: Permission.optional(),
    witness: Permission.optional(),
    actives: z.array(ActivePermission).optional(),
  })
  .describe("Parameters of the operation. The fields vary by contract type and are forwarded complete.");

const TronContract = z.looseObject({
  type: z.string().min(1, "must not be empty"),
  parameter: z.looseObject({ type_url: z.string().optional(), value: ContractValue }),
});

/**
 * An unsigned transaction as built by the client library. Source: docs/decisions/0001-open-points.md, "TRON transaction
 * security".
 */
export const TronTransaction = z
  .looseObject({
    raw_data: z
      .looseObject({
        contract: z
          .array(TronContract)
          .min(1, "at least 1 item")
          .describe("Operations of the transaction. Only the first operation is analyzed."),
        ref_block_bytes: z.string().optional(),
        ref_block_hash: z.string().optional(),
        expiration: Decimal.optional().describe("Expiry of the transaction, in Unix milliseconds."),
        timestamp: Decimal.optional().describe("Creation time of the transaction, in Unix milliseconds."),
        fee_limit: Decimal.optional().describe("Maximum execution fee in sun."),
      })
      .superRefine((rawData, context) => {
        const found = hexNumberIn(rawData);
        if (found === undefined) return;
        const message = "must not begin with 0x: numbers are decimal";
        context.addIssue({ code: "custom", path: [...found.path], message });
      }),
    visible: z.boolean().optional(),
    txID: z.string().optional().describe("Accepted, but not used in the analysis."),
    raw_data_hex: z.string().optional().describe("Accepted, but not used in the analysis."),
  })
  .meta({ id: "TronTransaction" });
export type TronTransaction = z.infer<typeof TronTransaction>;

/**
 * Whether the text is the URL of a web page, with scheme and host. The parser alone would also accept javascript:,
 * localhost:80 and https:host.
 */
function isFullUrl(text: string): boolean {
  return /^https?:\/\/[^/?#\\]/i.test(text) && URL.canParse(text);
}

export const TransactionSecurityRequest = z
  .object({
    dapp_url: z
      .string()
      .refine((text) => text === "" || isFullUrl(text), "must be a full URL, from http:// or https://")
      .optional()
      .describe("Full URL of the initiating application. An empty text counts as omitted."),
    tron_transactions: z.array(TronTransaction).min(1, "exactly 1 transaction").max(1, "exactly 1 transaction"),
    simulate: z.boolean().default(true),
  })
  .meta({ id: "TransactionSecurityRequest" });
export type TransactionSecurityRequest = z.infer<typeof TransactionSecurityRequest>;

/** The most addresses that accompany one EVM transaction. Chosen: the number of items in a batch. */
export const MAX_KNOWN_ADDRESSES = 1_000;

/**
 * One EVM transaction, flattened. It is an extension by Weir, not part of the interface. Source:
 * docs/evm-transactions.md.
 */
export const EvmTransactionSecurityRequest = z
  .object({
    chain_id: ChainId,
    ...evmFields,
    user_addresses: z
      .array(z.string())
      .max(MAX_KNOWN_ADDRESSES, `at most ${MAX_KNOWN_ADDRESSES} items`)
      .optional()
      .describe("Further addresses that the user knows."),
  })
  .meta({ id: "EvmTransactionSecurityRequest" });
export type EvmTransactionSecurityRequest = z.infer<typeof EvmTransactionSecurityRequest>;

/**
 * Whether a body is an EVM transaction: it names a sender and no TRON transactions. Any other body is the TRON form.
 */
export function isEvmForm(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return "from" in body && body.from !== null && !("tron_transactions" in body) && !("tronTransactions" in body);
}

/**
 * The finding on a TRON transaction with an undetermined effect. The interface leaves the names of findings open, so
 * every client of the interface can read it.
 */
export const EFFECT_UNKNOWN = "effect_unknown";

/** Score, level and action belong together: 0-1 ALLOW, 2-3 WARN, 4-5 BLOCK. */
const Security = z.looseObject({
  overall_score: z.number().int().min(0).max(5),
  overall_risk_level: z.string(),
  recommended_action: z.enum(["ALLOW", "WARN", "BLOCK"]),
  risk_details: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  not_analysed: z
    .array(z.string())
    .optional()
    .describe(
      "Not in the interface: parts of the request that the service did not examine, such as execution without a node.",
    ),
});

export const TransactionSecurityResponse = envelope(z.looseObject({ security: Security })).meta({
  id: "TransactionSecurityResponse",
});
export type TransactionSecurityResponse = z.infer<typeof TransactionSecurityResponse>;

/** The effects of an EVM transaction in a simulation. Amounts are raw units, decimal. Fees are not counted. */
const Execution = z.looseObject({
  ended: z.enum(["done", "failed", "unclear"]),
  block: z.string().describe("Number of the block after which the simulation ran."),
  reason: z.string().optional().describe("Cause of the failure, or of the missing result."),
  balance_changes: z
    .array(
      z.looseObject({
        address: z.string().describe("Sender, or an account that the sender acts through, such as a Safe."),
        standard: z
          .string()
          .describe("Kind of asset: native, erc20, erc721, erc1155, or token where the kind is unknown."),
        token_address: z.string().describe("Contract of the asset, or `native` for the native coin."),
        token_id: z.string().optional(),
        begin_value: z.string().optional(),
        delta_value: z.string(),
      }),
    )
    .describe("Assets that the sender gains or loses."),
  rights_given: z
    .array(
      z.looseObject({
        token_address: z.string(),
        owner: z.string(),
        spender: z.string(),
        amount: z.string().describe("Amount or item, or `all` for a whole collection."),
      }),
    )
    .describe("Rights to take tokens that the simulation granted."),
  not_shown: z.number().int().optional().describe("Number of further changes and rights."),
});

/**
 * The security object of the interface, about an EVM transaction. It is an extension by Weir. Source:
 * docs/evm-transactions.md.
 */
export const EvmTransactionSecurityResponse = envelope(
  z.looseObject({
    security: Security,
    execution: Execution.optional(),
    delegates: z.array(z.string()).optional().describe("Codes of authorization_list that the service judged."),
  }),
).meta({ id: "EvmTransactionSecurityResponse" });
export type EvmTransactionSecurityResponse = z.infer<typeof EvmTransactionSecurityResponse>;
