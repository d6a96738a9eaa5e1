import type { RouteName } from "./routes.ts";

/** The operations of a service, by the last part of their path in the interface. */
export const operations = [
  "solana-emulate",
  "token-security",
  "transaction-security",
  "evm-transaction-security",
  "address-poisoning",
  "address-classify",
] as const;
export type ServiceOperation = (typeof operations)[number];

export const operationOf: Readonly<Record<RouteName, ServiceOperation>> = {
  solanaEmulate: "solana-emulate",
  tokenSecurity: "token-security",
  transactionSecurity: "transaction-security",
  evmTransactionSecurity: "evm-transaction-security",
  poisoningBatch: "address-poisoning",
  poisoningSingle: "address-poisoning",
  poisoningQuery: "address-poisoning",
  classifyQuery: "address-classify",
  classifyBody: "address-classify",
};
