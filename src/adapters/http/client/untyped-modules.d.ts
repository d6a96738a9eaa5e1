/*
 * Parts of undici by themselves, typed by the whole of it: it loads five times as many modules, of which nothing is asked
 * here (fetch, WebSocket, caches, mocks), for 45 ms at the start of every command and 13 MiB for as long as it runs.
 */

declare module "undici/lib/dispatcher/agent.js" {
  import { Agent } from "undici";
  export = Agent;
}

declare module "undici/lib/dispatcher/pool.js" {
  import { Pool } from "undici";
  export = Pool;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";

  const connect: Dispatcher["connect"];
  export = connect;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import { ProxyAgent } from "undici";
  export = ProxyAgent;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";

  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export = request;
}
