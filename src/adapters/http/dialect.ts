import { API_KEY_HEADER, type RouteName, routes } from "../../contract/routes.ts";

/** What a service may be asked, by the last part of its path in the interface. */
export const operations = [
  "solana-emulate",
  "token-security",
  "transaction-security",
  "evm-transaction-security",
  "address-poisoning",
  "address-classify",
] as const;
export type Operation = (typeof operations)[number];

const operationOf: Readonly<Record<RouteName, Operation>> = {
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

/** What a dialect says of requests; what it leaves out is as the interface has it. */
export interface DialectParts {
  readonly auth?: { readonly header: string; readonly scheme?: string | undefined } | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly paths?: Readonly<Partial<Record<Operation, string>>> | undefined;
  readonly operations?: readonly Operation[] | undefined;
}

/** How requests to a service differ from those of the interface. */
export interface Dialect {
  /** The headers of a request that carries this key. */
  readonly headersWith: (key: string) => Readonly<Record<string, string>>;
  /** Where a request goes, behind the base; undefined where the service has no such operation. */
  readonly pathOf: (route: RouteName) => string | undefined;
}

export function dialectOf({ auth, headers = {}, paths = {}, operations: had = operations }: DialectParts): Dialect {
  const { header = API_KEY_HEADER, scheme } = auth ?? {};
  return {
    headersWith: (key) => ({ ...headers, [header]: scheme === undefined ? key : `${scheme} ${key}` }),
    pathOf: (route) => {
      const operation = operationOf[route];
      return had.includes(operation) ? (paths[operation] ?? routes[route].path) : undefined;
    },
  };
}

/** The interface as it is. */
export const interfaceDialect = dialectOf({});
