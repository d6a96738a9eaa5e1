import type { Dispatcher } from "undici";
import openTunnel from "undici/lib/api/api-connect.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import type { OpenProxy } from "../client/json-server.ts";

/**
 * Sends requests through the proxy at `url`, in a tunnel where the server is https. The host of the proxy is not
 * checked.
 */
export function throughProxy(url: URL): OpenProxy {
  return ({ connections, keepAliveTimeout, connectTimeout, tls }): Dispatcher =>
    new ProxyAgent({
      connections,
      keepAliveTimeout,
      connectTimeout,
      uri: url.href,
      requestTls: tls,
      // The complete undici gives its pools this method.
      clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect: openTunnel }),
    });
}
