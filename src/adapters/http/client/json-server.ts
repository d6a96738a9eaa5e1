import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import send from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { Secret } from "../../../kernel/secret.ts";
import { checkedLookup, type Lookup, type UrlSetting } from "../connection/checked-lookup.ts";
import { withDeadline } from "./deadline.ts";
import { type ReadOptions, readJson } from "./read-body.ts";

/** Opens the connections to a proxy; times in milliseconds, texts PEM. */
export type OpenProxy = (options: {
  readonly connections: number;
  readonly keepAliveTimeout: number;
  readonly connectTimeout: number;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}) => Dispatcher;

/** How a server is reached. */
export interface Connection {
  /**
   * Through which requests go, and the variable that named it. It resolves the server's name, so no address of the server is
   * checked.
   */
  readonly proxy?: { readonly open: OpenProxy; readonly variable: string };
  /** Authorities to trust in place of the public ones, PEM. */
  readonly ca?: string;
  /** What the client shows of itself, PEM. */
  readonly identity?: { readonly cert: string; readonly key: Secret };
}

export interface JsonServerOptions {
  /** The variable that its URL comes from. */
  readonly setting: UrlSetting;
  /** Finds the addresses of the host; those that nothing is asked at are taken out of what it finds. */
  readonly lookup: Lookup;
  /** Requests on the wire at once. */
  readonly connections: number;
  /** From the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
  /** Without it, straight to the server, and the public authorities are trusted. */
  readonly connection?: Connection;
}

export interface JsonRequest {
  /** Whole, and checked by `checkedUrl`. */
  readonly url: string;
  /** Beside those of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is posted, as JSON; without it the request is a GET. */
  readonly body?: string | Uint8Array | undefined;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * Reads the body, for `withinMs` at most, beside the deadline of the whole. @throws {UnreadableError} for what is no
   * JSON, packed, too large or too deep, and an error of the socket.
   */
  json(options?: ReadOptions & { readonly withinMs?: number }): Promise<unknown>;
}

/** Chosen: a server that is there takes a connection within tenths of a second. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Of a connection that nobody uses: shorter than the five seconds after which many servers close theirs. */
const KEPT_ALIVE_MS = 4_000;
/** How much, in bytes, and how long is read of a body that nobody wants, so that its connection can be used again. Chosen. */
const REST = { limit: 131_072, ms: 250 };

/**
 * JSON over HTTP to one server that is not ours and is believed nothing: kept-alive connections to checked addresses, no
 * redirect followed, no packed and no endless answer, everything within a deadline. What a status means its callers say.
 */
export class JsonServer {
  readonly #timeoutMs: number;
  readonly #agent: Dispatcher;

  constructor({ setting, lookup, connections, timeoutMs, connection = {} }: JsonServerOptions) {
    this.#timeoutMs = timeoutMs;
    const { proxy, ca, identity } = connection;
    const tls = {
      ...(ca === undefined ? {} : { ca }),
      ...(identity === undefined ? {} : { cert: identity.cert, key: identity.key.reveal() }),
    };
    const kept = { connections, keepAliveTimeout: KEPT_ALIVE_MS };
    const connect = { timeout: CONNECT_TIMEOUT_MS, lookup: checkedLookup(lookup, setting), ...tls };
    this.#agent =
      proxy === undefined
        ? new Agent({ ...kept, connect })
        : proxy.open({ ...kept, connectTimeout: CONNECT_TIMEOUT_MS, tls });
  }

  /** What `read` makes of the response. Throws what it throws, the reason of `signal`, or an error of the socket. */
  exchange<T>(request: JsonRequest, signal: AbortSignal, read: (response: JsonResponse) => T | Promise<T>): Promise<T> {
    const { url, body } = request;
    const { origin, pathname, search } = new URL(url);
    const headers = { ...request.headers, accept: "application/json", "accept-encoding": "identity" };
    return withDeadline(this.#timeoutMs, signal, async (deadline) => {
      const response = await send.call(this.#agent, {
        origin,
        path: pathname + search,
        method: body === undefined ? "GET" : "POST",
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        body: body ?? null,
        signal: deadline,
      });
      const { statusCode: status, body: bytes } = response;
      try {
        return await read({
          status,
          headers: response.headers,
          json: async ({ withinMs, ...options } = {}) => {
            const tooLate = () => bytes.destroy(new Error(`the answer took longer than ${withinMs} ms`));
            const timer = withinMs === undefined ? undefined : setTimeout(tooLate, withinMs);
            try {
              return await readJson(bytes, response.headers, options);
            } finally {
              clearTimeout(timer);
            }
          },
        });
      } finally {
        // A body that nobody reads to its end would keep its connection for good.
        await bytes.dump({ limit: REST.limit, signal: AbortSignal.timeout(REST.ms) }).catch(() => undefined);
      }
    });
  }

  /** Lets what is on its way end. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Ends what is on its way. */
  async destroy(): Promise<void> {
    await this.#agent.destroy(new Error("closing"));
  }
}
