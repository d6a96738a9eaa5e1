import { operationOf, type ServiceOperation } from "../../../api/operations.ts";
import { API_KEY_HEADER, type RouteName, routes } from "../../../api/routes.ts";
import { findChain } from "../../../chains/registry.ts";
import { type ChainWords, chainWords, ownWords } from "./chain-words.ts";

/** The parts of requests that a dialect changes. A missing part stays as in the interface. */
export interface DialectParts {
  readonly auth?: { readonly header: string; readonly scheme?: string | undefined } | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly paths?: Readonly<Partial<Record<ServiceOperation, string>>> | undefined;
  /** The chain name of the service, by any name of the chain. */
  readonly chains?: Readonly<Record<string, string | number>> | undefined;
}

/** The differences between requests to a service and requests of the interface. */
export interface Dialect extends ChainWords {
  /** The headers of a request that carries this key. */
  readonly headersWith: (key: string) => Readonly<Record<string, string>>;
  /** The path of a request, behind the base URL. */
  readonly pathOf: (route: RouteName) => string;
}

export function dialectOf({ auth, headers = {}, paths = {}, chains = {} }: DialectParts): Dialect {
  const { header = API_KEY_HEADER, scheme } = auth ?? {};
  const words = Object.entries(chains).map(([name, word]) => [findChain(name)?.id ?? name, String(word)] as const);
  return {
    headersWith: (key) => ({ ...headers, [header]: scheme === undefined ? key : `${scheme} ${key}` }),
    pathOf: (route) => paths[operationOf[route]] ?? routes[route].path,
    ...(words.length === 0 ? ownWords : chainWords(new Map(words))),
  };
}

/** The interface without changes. */
export const interfaceDialect = dialectOf({});
