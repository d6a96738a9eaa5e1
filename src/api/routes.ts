import type { z } from "zod";
import type { FailureName } from "./failures.ts";
import type { Guarded } from "./requests/request.ts";
import { ClassifyQuery, ClassifyRequest, ClassifyResponse } from "./schemas/address-classify.ts";
import {
  isBatchForm,
  PoisoningBatchRequest,
  PoisoningBatchResponse,
  PoisoningSingleRequest,
  PoisoningSingleResponse,
} from "./schemas/address-poisoning.ts";
import { isPlainAnswer } from "./schemas/plain-answer.ts";
import { SolanaEmulateRequest, SolanaEmulateResponse } from "./schemas/solana-emulate.ts";
import { TokenSecurityRequest, TokenSecurityResponse } from "./schemas/token-security.ts";
import {
  EvmTransactionSecurityRequest,
  EvmTransactionSecurityResponse,
  isEvmForm,
  TransactionSecurityRequest,
  TransactionSecurityResponse,
} from "./schemas/transaction-security.ts";

/** One operation of the service. Two rows may share method and path; then `selects` distinguishes them. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: `/v2/svc/${string}`;
  readonly summary: string;
  /** The request: GET carries a query string, POST a JSON body. */
  readonly request: z.ZodType;
  readonly response: z.ZodType;
  /** Recognizes, without the schema, answers that the schema would return unchanged. Other answers need the schema. */
  readonly isPlain?: (answer: unknown) => boolean;
  /** The failure for a request that does not fit its schema. */
  readonly mismatch: "schemaMismatch" | "invalidRequest";
  /** Further documented failures. 401, 404, 413, 429 and 500 belong to every row. */
  readonly failures: readonly FailureName[];
  /**
   * The interface shows one body of a 401 for any fault of the key. Source: docs/decisions/0001-open-points.md, "401
   * for a wrong key".
   */
  readonly saysMissingKey?: true;
  /** Unknown names that resemble these fields are refused, not dropped. */
  readonly guarded?: Guarded;
  /**
   * The text of numbers beyond 2^53 must reach the handler. When several rows share method and path, one row sets it
   * for all.
   */
  readonly exactNumbers?: true;
  /** A row without it handles the requests that no other row of its method and path selects. */
  readonly selects?: (body: unknown) => boolean;
}

/**
 * The single table of the interface. The server registers routes from it, and the client calls from it. The contract
 * tests iterate over it, and openapi.json is printed from it. Source: docs/decisions/0001-open-points.md, "Endpoints"
 * and "Errors".
 */
export const routes = {
  solanaEmulate: {
    method: "POST",
    path: "/v2/svc/solana-emulate",
    summary: "Simulates Solana transactions before broadcast",
    request: SolanaEmulateRequest,
    response: SolanaEmulateResponse,
    mismatch: "schemaMismatch",
    failures: ["invalidRequest", "unsupportedChain", "invalidAddress", "badGateway", "gatewayTimeout"],
    saysMissingKey: true,
  },
  tokenSecurity: {
    method: "POST",
    path: "/v2/svc/token-security",
    summary: "Security and market profile of an EVM token contract; asynchronous",
    request: TokenSecurityRequest,
    response: TokenSecurityResponse,
    mismatch: "schemaMismatch",
    failures: ["unsupportedChain", "invalidAddress"],
  },
  transactionSecurity: {
    method: "POST",
    path: "/v2/svc/transaction-security",
    summary: "Risk score, recommended action and findings for one unsigned TRON transaction",
    request: TransactionSecurityRequest,
    response: TransactionSecurityResponse,
    mismatch: "invalidRequest",
    failures: ["unsupportedChain", "invalidAddress", "badGateway", "gatewayTimeout"],
    exactNumbers: true,
  },
  evmTransactionSecurity: {
    method: "POST",
    path: "/v2/svc/transaction-security",
    summary: "The same for one flattened EVM transaction: an extension of the interface",
    request: EvmTransactionSecurityRequest,
    response: EvmTransactionSecurityResponse,
    mismatch: "invalidRequest",
    failures: ["unsupportedChain", "invalidAddress"],
    exactNumbers: true,
    selects: isEvmForm,
  },
  poisoningBatch: {
    method: "POST",
    path: "/v2/svc/address-poisoning",
    summary: "Address poisoning of up to 1000 users, targets and tokens",
    request: PoisoningBatchRequest,
    response: PoisoningBatchResponse,
    isPlain: isPlainAnswer,
    mismatch: "schemaMismatch",
    failures: [],
    guarded: {
      fields: ["user_addresses", "target_addresses", "token_addresses"],
      besides: Object.keys(PoisoningSingleRequest.shape),
    },
    exactNumbers: true,
    selects: isBatchForm,
  },
  poisoningSingle: {
    method: "POST",
    path: "/v2/svc/address-poisoning",
    summary: "Address poisoning of one target, optionally for one user and one token",
    request: PoisoningSingleRequest,
    response: PoisoningSingleResponse,
    mismatch: "schemaMismatch",
    failures: ["unsupportedChain", "invalidAddress"],
    guarded: { fields: ["user_address", "token_address"] },
  },
  poisoningQuery: {
    method: "GET",
    path: "/v2/svc/address-poisoning",
    summary: "The single address-poisoning form as a query string",
    request: PoisoningSingleRequest,
    response: PoisoningSingleResponse,
    mismatch: "schemaMismatch",
    failures: ["unsupportedChain", "invalidAddress"],
    guarded: { fields: ["user_address", "token_address"] },
  },
  classifyQuery: {
    method: "GET",
    path: "/v2/svc/address-classify",
    summary: "What an address is: EOA or contract, category, verification state",
    request: ClassifyQuery,
    response: ClassifyResponse,
    mismatch: "schemaMismatch",
    failures: ["unsupportedChain", "invalidAddress"],
  },
  classifyBody: {
    method: "POST",
    path: "/v2/svc/address-classify",
    summary: "Address classification with a JSON body; same answer as the query form",
    request: ClassifyRequest,
    response: ClassifyResponse,
    mismatch: "schemaMismatch",
    failures: ["unsupportedChain", "invalidAddress"],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
export type RequestOf<N extends RouteName> = z.output<(typeof routes)[N]["request"]>;
/** The type of a request. Fields with a default may be left out. */
export type SentTo<N extends RouteName> = z.input<(typeof routes)[N]["request"]>;
export type ResponseOf<N extends RouteName> = z.output<(typeof routes)[N]["response"]>;

/** The reasons for refusing a key, where the interface leaves the wording open. */
export const keyFailures = ["malformedApiKey", "unknownApiKey"] as const satisfies readonly FailureName[];

/** Failures that every row may answer with. */
export const commonFailures = [
  "missingApiKey",
  "notFound",
  "bodyTooLarge",
  "rateLimited",
  "internal",
] as const satisfies readonly FailureName[];

/** The header that carries the API key. */
export const API_KEY_HEADER = "X-API-KEY";
