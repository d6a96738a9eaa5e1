import type { RouteName, SentTo } from "../../src/api/routes.ts";
import type { Item } from "./truth.ts";

/** The addresses that a request names. */
export interface Asked {
  readonly users: readonly Item[];
  readonly targets: readonly Item[];
  readonly tokens: readonly Item[];
}

const aboutTransactions: ReadonlySet<RouteName> = new Set([
  "solanaEmulate",
  "transactionSecurity",
  "evmTransactionSecurity",
]);

export function askedIn(route: RouteName, request: unknown): Asked {
  if (route === "poisoningBatch") {
    const { user_addresses, target_addresses, token_addresses } = request as SentTo<"poisoningBatch">;
    const items = (array: readonly { chain_id: unknown; address: string }[] = []) =>
      array.map(({ chain_id, address }) => ({ chain_id: String(chain_id), address }));
    return { users: items(user_addresses), targets: items(target_addresses), tokens: items(token_addresses) };
  }
  if (aboutTransactions.has(route)) return { users: [], targets: [], tokens: [] };
  const {
    chain_id: id,
    chainId,
    address,
    user_address: user,
    token_address: token,
  } = request as Readonly<Record<string, string>>;
  const chain_id = id ?? chainId ?? "";
  const item = (text: string | undefined) => (text === undefined ? [] : [{ chain_id, address: text }]);
  return { users: item(user), targets: item(address), tokens: item(token) };
}
