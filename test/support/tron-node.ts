import { lookup } from "node:dns";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { JsonClient } from "../../src/adapters/http/client/json-client.ts";
import { askNodes } from "../../src/adapters/tron/ask-nodes.ts";
import { TronHttpNode } from "../../src/adapters/tron/tron-http-node.ts";
import { parseExact } from "../../src/kernel/json.ts";
import { Secret } from "../../src/kernel/secret.ts";
import type { TronNode } from "../../src/service/tron-transactions/tron-node.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeLog } from "../fakes/fake-log.ts";

/** Weir's client of a node that answers by `listener`, over HTTP, until the test closes it. */
export async function nodeOver(
  listener: RequestListener,
): Promise<{ readonly node: TronNode; readonly close: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const clock = new FakeClock();
  const client = new JsonClient({
    baseUrl: new Secret(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    setting: "TRON_RPC_URL",
    codec: { parse: parseExact, stringify: JSON.stringify },
    clock,
    lookup,
    connections: 4,
    timeoutMs: 20_000,
  });
  const close = async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { node: new TronHttpNode(askNodes([client], { clock, log: new FakeLog() })), close };
}
