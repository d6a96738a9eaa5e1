import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Secret } from "../../../kernel/secret.ts";
import { RateLimitedError, UnauthorizedError, UnavailableError } from "../../../worker/answers/service-errors.ts";
import { requestedWaitMs } from "../waits/requested-wait.ts";
import { JsonServer, type JsonServerOptions } from "./json-server.ts";
import { isTimeout, reasonOf } from "./reason.ts";

/**
 * Most values in the answer of a node. The gas of one call buys at most 252,074 logs, in 7.6 MB. Chosen: twice that
 * number.
 */
const MAX_VALUES = 500_000;
/** Longest rest that a node may ask for, milliseconds. Chosen. */
const LONGEST_REST_MS = 3_600_000;

/** Reads and writes JSON in a way that preserves exact numbers. */
export interface JsonCodec {
  /** Throws for text that is not JSON. */
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
}

export interface JsonClientOptions extends JsonServerOptions {
  /** The URL in front of the paths, checked by `nodeUrl`. */
  readonly baseUrl: Secret;
  /** Headers beside those of JSON; called for each request. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "now">;
  /** Without a codec, numbers are those of JavaScript. */
  readonly codec?: JsonCodec;
  /** Largest answer, bytes. Without it, the limit of `readJson`. */
  readonly maxBytes?: number;
}

/** Posts JSON to a node, with one error type for each way to fail. */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #server: JsonServer;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#server = new JsonServer(options);
  }

  /** The host, for logs. The path is left out, since it may hold a key. */
  get name(): string {
    return new URL(this.#options.baseUrl.reveal()).host;
  }

  /**
   * The JSON answer at `path`.
   *
   * @throws {RateLimitedError | UnauthorizedError} @throws {UnavailableError} `isTimeout` when no answer came in time.
   * @throws the reason of `signal`.
   */
  async post(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const { baseUrl, headers, clock, codec = JSON, maxBytes } = this.#options;
    const request = {
      url: `${baseUrl.reveal()}${path}`,
      headers: headers?.() ?? {},
      body: codec.stringify(body),
    };
    const limits = { parse: codec.parse, maxValues: MAX_VALUES, ...(maxBytes === undefined ? {} : { maxBytes }) };
    try {
      return await this.#server.exchange(request, signal, ({ status, headers: answered, json }) => {
        if (status === 429) throw new RateLimitedError("answered 429", askedRestMs(answered, clock.now()));
        if (status === 401 || status === 403) throw new UnauthorizedError(`answered ${status}`);
        if (status !== 200) throw new UnavailableError(`answered ${status}`, { status });
        return json(limits);
      });
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      signal.throwIfAborted();
      const reason = reasonOf(thrown);
      throw new UnavailableError(`no answer: ${reason}`, { timeout: isTimeout(reason) }, { cause: thrown });
    }
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    await this.#server.destroy();
  }
}

function askedRestMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const asked = requestedWaitMs(429, headers, nowMs);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_REST_MS);
}
