/** Types of an adapter, for editors. Copy the file beside the adapter: Weir does not load it. */

/** What a field says: null, or left out, is not known. */
type Told<T> = T | null | undefined;
type Text = Told<string>;
/** A text, or a number that becomes its text. */
type Figure = Told<string | number>;

/** Decimal ids of EVM chains, `tron`, `solana`, `bitcoin`. */
export interface AskedAddress {
  readonly chain: string;
  readonly address: string;
}

export interface Questions {
  "address-poisoning": AskedAddress & { readonly users: readonly string[]; readonly token?: string };
  "address-poisoning-batch": {
    readonly users: readonly AskedAddress[];
    readonly targets: readonly AskedAddress[];
    readonly tokens: readonly AskedAddress[];
  };
  "token-security": AskedAddress;
  "address-classify": AskedAddress;
  "transaction-security": { readonly transaction: unknown; readonly dapp_url?: string };
  "evm-transaction-security": {
    readonly chain: string;
    readonly from: string;
    readonly to?: string;
    readonly value?: string;
    readonly data?: string;
    readonly authorization_list?: readonly { readonly address: string }[];
    readonly users: readonly string[];
  };
  "solana-emulate": { readonly sol_transactions: readonly unknown[]; readonly requested_items?: unknown };
}

interface TargetFlags {
  is_poisoning?: Told<boolean>;
  mimics_user?: Told<boolean>;
  mimics_exchange?: Told<boolean>;
  matched_address?: Text;
  matched_name?: Text;
}

interface TokenFlags {
  is_poisoning?: Told<boolean>;
  mimics_top_token?: Told<boolean>;
  matched_token?: Text;
  matched_address?: Text;
}

/** `error` in place of flags: the service has no answer for this item. */
interface Item {
  chain: string;
  address: string;
  error?: Text;
}

interface TransactionAnswer {
  /** Left out: the service does not say, and the check is UNKNOWN. */
  action?: Told<"ALLOW" | "WARN" | "BLOCK">;
  level?: Figure;
  findings?: Told<{ name: string; description: string }[]>;
  not_analysed?: Told<string[]>;
  /** Addresses of `authorization_list` that the service judged. Without them an ALLOW of such a transaction is UNKNOWN. */
  delegates?: Told<string[]>;
}

export interface Answers {
  "address-poisoning": TargetFlags & { address: string; token?: Told<TokenFlags & { address: string }> };
  "address-poisoning-batch": { targets: (Item & TargetFlags)[]; tokens?: Told<(Item & TokenFlags)[]> };
  "token-security": {
    address: string;
    address_type?: Text;
    overall_risk_level?: Figure;
    overall_score?: Figure;
    basic_info?: Told<{
      token_name?: Text;
      token_symbol?: Text;
      token_decimals?: Figure;
      days_deployed?: Figure;
      is_mintable?: Told<boolean>;
      is_in_dex?: Told<boolean>;
      verified?: Told<boolean>;
    }>;
    privileges?: Told<{ owner_address?: Text; owner_type?: Text; dev_malicious?: Told<boolean> }>;
    security_risks?: Told<{
      is_honeypot?: Told<boolean>;
      hidden_owner?: Told<boolean>;
      self_destruct?: Told<boolean>;
      unlimited_mintable?: Told<boolean>;
    }>;
    token_market?: Told<{
      holders_count?: Figure;
      owner_token_percent?: Figure;
      holders_concentration?: Told<{ top1_eoa_concentration?: Figure; top5_eoa_concentration?: Figure }>;
    }>;
    trade_analysis?: Told<{ sell_tax?: Figure; transfer_tax?: Figure }>;
    transfer_restrictions?: Told<{
      is_anti_whale?: Told<boolean>;
      transfer_pausable?: Told<boolean>;
      transfer_blacklist?: Told<boolean>;
    }>;
    threat_intelligence?: Told<{ risk_level?: Figure; trust_level?: Figure }>;
  };
  "address-classify": {
    address: string;
    classification?: Text;
    address_type?: Text;
    is_verified?: Told<boolean>;
    is_erc20?: Told<boolean>;
    proxy_impl_address?: Text;
    proxy_impl_type?: Text;
  };
  "transaction-security": TransactionAnswer;
  "evm-transaction-security": TransactionAnswer;
  /** `data` as the interface has it. */
  "solana-emulate": Record<string, unknown>;
}

/** The analysis of the token still runs. Weir asks again after so many seconds. */
export interface Later {
  poll_after: number;
}

export interface Failure {
  failure: "unknown" | "rejected" | "chain_unsupported" | "unauthorized" | "rate_limited" | "unavailable";
  /** For people; the API key is taken out. */
  detail?: string;
  /** With `rate_limited`, milliseconds. */
  retry_after_ms?: number;
}

/** A question that the service cannot be asked. Nothing is sent, so the failure is none that only the service can tell. */
export interface Unasked {
  failure: "unknown" | "rejected" | "chain_unsupported";
  /** For people; the API key is taken out. */
  detail?: string;
}

/** Behind SERVICE_URL. With a body it is a POST of JSON, else a GET. */
export interface VendorRequest {
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  body?: object;
}

export interface VendorResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the JSON of the body says: anything. */
  readonly body: unknown;
}

/** Both functions are synchronous and send nothing. */
export interface Operation<Question, Answer> {
  request(question: Question, context: { readonly key: string }): VendorRequest | Unasked;
  answer(response: VendorResponse, question: Question): Answer | Failure;
}

export type Operations = {
  [Name in keyof Questions]?: Operation<
    Questions[Name],
    Name extends "token-security" ? Answers[Name] | Later : Answers[Name]
  >;
};

export interface Adapter {
  schema: "weir.adapter/1";
  /** 1 to 50 letters, digits, spaces, _ . or - */
  name: string;
  operations: Operations & { "address-poisoning": NonNullable<Operations["address-poisoning"]> };
  /** A refusal (4xx, but not 401, 403, 408 and 429) as a failure; undefined: as its status says. */
  refusal?(response: VendorResponse, operation: keyof Questions): Failure | undefined;
}

/** What the module exports under the name `adapter`. */
export type AdapterFactory = (context: { readonly baseUrl: string; readonly now: () => number }) => Adapter;
