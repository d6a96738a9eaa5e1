import { z } from "zod";

/**
 * The operations of an adapter, by its own names. `address-poisoning-batch` is for services that accept many addresses
 * at once.
 */
export const adapterOperations = [
  "address-poisoning",
  "address-poisoning-batch",
  "token-security",
  "address-classify",
  "transaction-security",
  "evm-transaction-security",
  "solana-emulate",
] as const;
export type AdapterOperation = (typeof adapterOperations)[number];

/**
 * A boolean statement of the service. Absent or null means unknown. A text such as "0" is refused, because it would
 * count as true.
 */
const Told = z.boolean().nullish();
const Text = z.string().max(2_000).nullish();
/** A text, or a number that becomes its text. */
const Figure = z.union([z.string().max(2_000), z.number()]).nullish();
const Address = z.string().min(1).max(200);

const target = {
  is_poisoning: Told,
  mimics_user: Told,
  mimics_exchange: Told,
  matched_address: Text,
  matched_name: Text,
};
const token = { is_poisoning: Told, mimics_top_token: Told, matched_token: Text, matched_address: Text };

/** The answer about one address, and about a token when one was requested. */
const AdapterPoisoning = z.strictObject({
  address: Address,
  ...target,
  token: z.strictObject({ address: Address, ...token }).nullish(),
});
export type AdapterPoisoning = z.infer<typeof AdapterPoisoning>;

/** An item. A text in `error` may replace its other members. */
const item = { chain: z.string().min(1).max(100), address: Address, error: Text };
const AdapterTarget = z.strictObject({ ...item, ...target });
export type AdapterTarget = z.infer<typeof AdapterTarget>;
const AdapterTokenItem = z.strictObject({ ...item, ...token });
export type AdapterTokenItem = z.infer<typeof AdapterTokenItem>;
const AdapterPoisoningBatch = z.strictObject({
  targets: z.array(AdapterTarget),
  tokens: z.array(AdapterTokenItem).nullish(),
});
export type AdapterPoisoningBatch = z.infer<typeof AdapterPoisoningBatch>;

/** Grouped like the interface. */
const AdapterToken = z.strictObject({
  address: Address,
  address_type: Text,
  overall_risk_level: Figure,
  overall_score: Figure,
  basic_info: z
    .strictObject({
      token_name: Text,
      token_symbol: Text,
      token_decimals: Figure,
      days_deployed: Figure,
      is_mintable: Told,
      is_in_dex: Told,
      verified: Told,
    })
    .nullish(),
  privileges: z.strictObject({ owner_address: Text, owner_type: Text, dev_malicious: Told }).nullish(),
  security_risks: z
    .strictObject({ is_honeypot: Told, hidden_owner: Told, self_destruct: Told, unlimited_mintable: Told })
    .nullish(),
  token_market: z
    .strictObject({
      holders_count: Figure,
      owner_token_percent: Figure,
      holders_concentration: z
        .strictObject({ top1_eoa_concentration: Figure, top5_eoa_concentration: Figure })
        .nullish(),
    })
    .nullish(),
  trade_analysis: z.strictObject({ sell_tax: Figure, transfer_tax: Figure }).nullish(),
  transfer_restrictions: z
    .strictObject({ is_anti_whale: Told, transfer_pausable: Told, transfer_blacklist: Told })
    .nullish(),
  threat_intelligence: z.strictObject({ risk_level: Figure, trust_level: Figure }).nullish(),
});
export type AdapterToken = z.infer<typeof AdapterToken>;

/** The analysis is still running. The request is repeated after `poll_after` seconds. */
export const AdapterLater = z.strictObject({ poll_after: z.number().int().min(0).max(86_400) });
export type AdapterLater = z.infer<typeof AdapterLater>;

const AdapterClassification = z.strictObject({
  address: Address,
  classification: Text,
  address_type: Text,
  is_verified: Told,
  is_erc20: Told,
  proxy_impl_address: Text,
  proxy_impl_type: Text,
});
export type AdapterClassification = z.infer<typeof AdapterClassification>;

/** The answer about a transaction of TRON or of an EVM chain. */
const AdapterTransaction = z.strictObject({
  action: z.enum(["ALLOW", "WARN", "BLOCK"]).nullish(),
  level: Figure,
  findings: z.array(z.strictObject({ name: z.string().min(1).max(200), description: z.string().max(2_000) })).nullish(),
  not_analysed: z.array(z.string().max(200)).nullish(),
  delegates: z.array(z.string().max(200)).nullish().describe("Codes of authorization_list that the service judged."),
});
export type AdapterTransaction = z.infer<typeof AdapterTransaction>;

/**
 * The accepted answers of an adapter to each operation, beside `AdapterLater`. For Solana it is `data` of the
 * interface.
 */
export const adapterAnswers = {
  "address-poisoning": AdapterPoisoning,
  "address-poisoning-batch": AdapterPoisoningBatch,
  "token-security": AdapterToken,
  "address-classify": AdapterClassification,
  "transaction-security": AdapterTransaction,
  "evm-transaction-security": AdapterTransaction,
  "solana-emulate": z.record(z.string(), z.unknown()),
} as const satisfies Record<AdapterOperation, z.ZodType>;
export type AdapterAnswer<O extends AdapterOperation> = z.infer<(typeof adapterAnswers)[O]>;
