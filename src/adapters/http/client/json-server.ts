import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import send from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { Secret } from "../../../kernel/secret.ts";
import { checkedLookup, type Lookup, type UrlSetting } from "../connection/checked-lookup.ts";
import { withDeadline } from "./deadline.ts";
import { type ReadOptions, readJson, readText, type TextLimits } from "./read-body.ts";

/** Opens the connections to a proxy. Times are milliseconds, texts are PEM. */
export type OpenProxy = (options: {
  readonly connections: number;
  readonly keepAliveTimeout: number;
  readonly connectTimeout: number;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
}) => Dispatcher;

/** The way to a server: its proxy and its certificates. */
export interface Connection {
  /**
   * The proxy for all requests, and the variable that names it. The proxy resolves the server's name, so no address of
   * the server is checked.
   */
  readonly proxy?: { readonly open: OpenProxy; readonly variable: string };
  /** Certificate authorities that replace the public ones, PEM. */
  readonly ca?: string;
  /** The client certificate and its key, PEM. */
  readonly identity?: { readonly cert: string; readonly key: Secret };
}

export interface JsonServerOptions {
  /** The variable that the URL comes from. */
  readonly setting: UrlSetting;
  /** Finds the addresses of the host. Refused addresses are removed from the result. */
  readonly lookup: Lookup;
  /** Requests in flight at once. */
  readonly connections: number;
  /** From the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
  /** Without it, requests go straight to the server, and the public authorities are trusted. */
  readonly connection?: Connection;
}

export interface JsonRequest {
  /** The complete URL, checked by `checkedUrl`. */
  readonly url: string;
  /** Headers beside those of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body to post, as JSON. Without a body, the request is a GET. */
  readonly body?: string | Uint8Array | undefined;
}

export interface JsonResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /**
   * Reads the body, for `withinMs` at most, within the deadline of the whole request. @throws {UnreadableError} for a
   * body that is no JSON, packed, too large or too deep, and an error of the socket.
   */
  json(options?: ReadOptions & { readonly withinMs?: number }): Promise<unknown>;
}

export interface TextResponse extends JsonResponse {
  /** Reads the body as text. @throws {UnreadableError} */
  text(limits: TextLimits): Promise<string>;
}

/** Chosen: a reachable server accepts a connection within tenths of a second. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Time that an unused connection stays open. Many servers close theirs after five seconds. */
const KEPT_ALIVE_MS = 4_000;
/**
 * How much of an unwanted body is read, in bytes, and for how long. After that its connection can be used again.
 * Chosen.
 */
const REST = { limit: 131_072, ms: 250 };

/**
 * JSON over HTTP to one foreign server that is not trusted. It uses kept-alive connections to checked addresses.
 * Redirects, packed answers and endless answers are refused, and everything ends within a deadline. The callers decide
 * the meaning of a status.
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

  /**
   * The result of `read` on the response. Throws the errors of `read`, the reason of `signal`, or an error of the
   * socket.
   */
  exchange<T>(request: JsonRequest, signal: AbortSignal, read: (response: TextResponse) => T | Promise<T>): Promise<T> {
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
          text: (limits) => readText(bytes, response.headers, limits),
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
        // A body that is not read to its end would block its connection forever.
        await bytes.dump({ limit: REST.limit, signal: AbortSignal.timeout(REST.ms) }).catch(() => undefined);
      }
    });
  }

  /** Waits for the requests in flight. */
  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Aborts the requests in flight. */
  async destroy(): Promise<void> {
    await this.#agent.destroy(new Error("closing"));
  }
}
