import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { PacedPipe } from "./paced-pipe.ts";

/**
 * The effect of a proxy on its traffic.
 *
 * - pass: no effect.
 * - latency: delays every byte by `ms`, each way.
 * - bandwidth: limits traffic to `bytesPerSec`, each way, each connection.
 * - blackHole: accepts connections and bytes and returns nothing, not even a FIN, like a firewall that drops packets.
 * - reset: answers existing and new connections by RST, like a process that died with its sockets.
 * - refuse: does not listen, like a port without a server. Existing connections go on; `cut` them for a server that
 *   died.
 */
export type Fault =
  | { readonly mode: "pass" }
  | { readonly mode: "latency"; readonly ms: number }
  | { readonly mode: "bandwidth"; readonly bytesPerSec: number }
  | { readonly mode: "blackHole" }
  | { readonly mode: "reset" }
  | { readonly mode: "refuse" };

export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /**
   * Sets the fault from now on. Connections of a black hole are reset when it ends: they have lost bytes, and no real
   * network gives a stream with a gap.
   */
  set(fault: Fault): Promise<void>;
  /** Resets every existing connection; new connections follow the mode. */
  cut(): void;
  /** Number of open connections of clients. */
  connections(): number;
  close(): Promise<void>;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

const HOST = "127.0.0.1";

/** A TCP proxy in front of `target`, on this loopback port or a free one. It passes traffic by default. */
export async function startProxy(options: { readonly target: Target; readonly port?: number }): Promise<FaultProxy> {
  let fault: Fault = { mode: "pass" };
  const links = new Set<Link>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (fault.mode === "reset") return void client.resetAndDestroy();
    const link = new Link(client, options.target, fault);
    links.add(link);
    client.once("close", () => links.delete(link));
  });
  const port = await listen(server, options.port ?? 0);
  const cut = () => {
    for (const link of links) link.reset();
  };
  return {
    host: HOST,
    port,
    async set(next) {
      fault = next;
      if (next.mode === "reset") cut();
      for (const link of links) link.suffer(next);
      // The callback of `close` would wait for the last connection, and existing connections go on.
      if (next.mode === "refuse") server.close();
      else if (!server.listening) await listen(server, port);
    },
    cut,
    connections: () => links.size,
    async close() {
      cut();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One client's connection, and the proxy's connection to the target for that client. */
class Link {
  readonly #client: Socket;
  readonly #target: Socket | undefined;
  readonly #pipes: readonly PacedPipe[];
  #lossy = false;

  constructor(client: Socket, target: Target, fault: Fault) {
    this.#client = client;
    client.on("error", () => this.reset());
    if (fault.mode === "blackHole") {
      client.resume();
      this.#lossy = true;
      this.#target = undefined;
      this.#pipes = [];
      return;
    }
    const upstream = connect({ ...target, allowHalfOpen: true });
    // A client in front of a black hole does not notice a failure of the target.
    upstream.on("error", () => this.#lossy || this.reset());
    this.#target = upstream;
    this.#pipes = [new PacedPipe(client, upstream), new PacedPipe(upstream, client)];
    this.suffer(fault);
  }

  suffer(fault: Fault): void {
    if (fault.mode === "blackHole") {
      this.#lossy = true;
      for (const pipe of this.#pipes) pipe.swallow();
    } else if (this.#lossy) {
      this.reset();
    } else {
      const latencyMs = fault.mode === "latency" ? fault.ms : 0;
      const bytesPerSec = fault.mode === "bandwidth" ? fault.bytesPerSec : Number.POSITIVE_INFINITY;
      for (const pipe of this.#pipes) pipe.pace({ latencyMs, bytesPerSec });
    }
  }

  reset(): void {
    for (const socket of [this.#client, this.#target]) if (socket?.destroyed === false) socket.resetAndDestroy();
  }
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, HOST, resolve);
  await promise;
  server.removeListener("error", reject);
  return (server.address() as AddressInfo).port;
}
