import { findChain } from "../../chains/registry.ts";
import { type Operation, operationOf, operations } from "../../contract/operations.ts";
import { API_KEY_HEADER, type RouteName, routes } from "../../contract/routes.ts";
import { type ChainWords, chainWords, ownWords } from "./chain-words.ts";

/** What a dialect says of requests; what it leaves out is as the interface has it. */
export interface DialectParts {
  readonly auth?: { readonly header: string; readonly scheme?: string | undefined } | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly paths?: Readonly<Partial<Record<Operation, string>>> | undefined;
  readonly operations?: readonly Operation[] | undefined;
  /** The word of the service by any name of a chain. */
  readonly chains?: Readonly<Record<string, string | number>> | undefined;
}

/** How requests to a service differ from those of the interface. */
export interface Dialect extends ChainWords {
  /** The headers of a request that carries this key. */
  readonly headersWith: (key: string) => Readonly<Record<string, string>>;
  /** Where a request goes, behind the base; undefined where the service has no such operation. */
  readonly pathOf: (route: RouteName) => string | undefined;
}

export function dialectOf({
  auth,
  headers = {},
  paths = {},
  operations: had = operations,
  chains = {},
}: DialectParts): Dialect {
  const { header = API_KEY_HEADER, scheme } = auth ?? {};
  const words = Object.entries(chains).map(([name, word]) => [findChain(name)?.id ?? name, String(word)] as const);
  return {
    headersWith: (key) => ({ ...headers, [header]: scheme === undefined ? key : `${scheme} ${key}` }),
    pathOf: (route) => {
      const operation = operationOf[route];
      return had.includes(operation) ? (paths[operation] ?? routes[route].path) : undefined;
    },
    ...(words.length === 0 ? ownWords : chainWords(new Map(words))),
  };
}

/** The interface as it is. */
export const interfaceDialect = dialectOf({});
