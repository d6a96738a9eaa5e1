import { lookup } from "node:dns";
import { JsonClient } from "../../adapters/http/client/json-client.ts";
import { askNodes } from "../../adapters/tron/ask-nodes.ts";
import { TronHttpNode } from "../../adapters/tron/tron-http-node.ts";
import { systemClock } from "../../kernel/clock.ts";
import { parseExact } from "../../kernel/json.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import type { TronNode } from "../../service/tron-transactions/tron-node.ts";
import type { NodesConfig, ServeConfig } from "../config/config.ts";
import { openKey } from "../config/keys.ts";
import { tronUrlsOf } from "../config/node-urls.ts";

/** Requests in flight to one node at once. A transaction needs at most eight. Chosen. */
const CONNECTIONS = 32;

/** Opens the nodes that execute TRON transactions; undefined without configured nodes. @throws {ConfigInvalidError} */
export async function openTron(config: ServeConfig, opened: Lifecycle, log: Log): Promise<TronNode | undefined> {
  const { clients, refreshKey } = await openTronClients(config);
  if (clients.length === 0) return undefined;
  for (const client of clients) opened.onClose("tron node", () => client.close());
  log.info("TRON transactions run on these nodes", { hosts: clients.map(({ name }) => name) });
  return new TronHttpNode(askNodes(clients, { clock: systemClock, log, refreshKey }));
}

/**
 * A client for each node of TRON_RPC_URL, in their order, and the function that reads the key again. @throws
 * {ConfigInvalidError}
 */
export async function openTronClients(
  config: NodesConfig,
): Promise<{ readonly clients: readonly JsonClient[]; readonly refreshKey: (() => Promise<boolean>) | undefined }> {
  const { TRON_RPC_API_KEY: key, TRON_RPC_API_KEY_FILE: file, TRON_RPC_API_KEY_HEADER: header } = config;
  const urls = tronUrlsOf(config);
  const isKeyed = urls.length > 0 && (key !== undefined || file !== undefined);
  const names = { file: "TRON_RPC_API_KEY_FILE", values: "TRON_RPC_API_KEY" };
  const source = isKeyed ? await openKey({ file, values: key === undefined ? undefined : [key], names }) : undefined;
  const options = {
    setting: "TRON_RPC_URL",
    headers: () => (source === undefined ? {} : { [header]: source.current().reveal() }),
    codec: { parse: parseExact, stringify: JSON.stringify },
    clock: systemClock,
    lookup,
    connections: CONNECTIONS,
    timeoutMs: config.TRON_RPC_TIMEOUT,
  } as const;
  const clients = urls.map((baseUrl) => new JsonClient({ ...options, baseUrl }));
  return { clients, refreshKey: source === undefined ? undefined : () => source.reload() };
}
