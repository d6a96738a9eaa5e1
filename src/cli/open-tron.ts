import { lookup } from "node:dns";
import { JsonClient } from "../adapters/http/json-client.ts";
import { nodeUrl } from "../adapters/http/node-url.ts";
import { askNodes } from "../adapters/tron/ask-nodes.ts";
import { TronHttpNode } from "../adapters/tron/tron-http-node.ts";
import { parseExact } from "../kernel/json.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { TronNode } from "../service/transaction-security/tron-node.ts";
import type { ServeConfig } from "./config.ts";
import { openKey } from "./keys.ts";

/** Requests on the wire to one node at once; a transaction needs at most six. Chosen. */
const CONNECTIONS = 32;

/** What TRON transactions are executed by: the nodes that are configured, or none. @throws {ConfigInvalidError} */
export async function openTron(config: ServeConfig, opened: Lifecycle, log: Log): Promise<TronNode | undefined> {
  const { TRON_RPC_URL: urls, TRON_RPC_API_KEY: key, TRON_RPC_API_KEY_FILE: file } = config;
  if (urls.length === 0) return undefined;
  const names = { file: "TRON_RPC_API_KEY_FILE", values: "TRON_RPC_API_KEY" };
  const source =
    key === undefined && file === undefined
      ? undefined
      : await openKey({ file, values: key === undefined ? undefined : [key], names });
  const name = config.TRON_RPC_API_KEY_HEADER;
  const headers = () => (source === undefined ? {} : { [name]: source.current().reveal() });
  const clients = urls.map(
    (url) =>
      new JsonClient({
        baseUrl: nodeUrl("TRON_RPC_URL", url, { allowHttp: config.TRON_RPC_ALLOW_HTTP }),
        setting: "TRON_RPC_URL",
        headers,
        codec: { parse: parseExact, stringify: JSON.stringify },
        clock: systemClock,
        lookup,
        connections: CONNECTIONS,
        timeoutMs: config.TRON_RPC_TIMEOUT,
      }),
  );
  for (const client of clients) opened.onClose("tron node", () => client.close());
  log.info("tron nodes", { hosts: clients.map(({ name }) => name) });
  const refreshKey = source === undefined ? undefined : () => source.reload();
  return new TronHttpNode(askNodes(clients, { clock: systemClock, log, refreshKey }));
}
