import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Secret } from "../../../kernel/secret.ts";
import { RateLimitedError, UnauthorizedError, UnavailableError } from "../../../worker/answers/service-errors.ts";
import { requestedWaitMs } from "../waits/requested-wait.ts";
import { JsonServer, type JsonServerOptions } from "./json-server.ts";
import { isTimeout, reasonOf } from "./reason.ts";

/** Most values of a node's answer. As many logs as the gas of one call buys are 252,074 in 7.6 MB. Chosen: twice that. */
const MAX_VALUES = 500_000;
/** Longest rest that a node may ask for, milliseconds. Chosen. */
const LONGEST_REST_MS = 3_600_000;

/** How JSON is read and written, where its numbers must stay what they are. */
export interface JsonCodec {
  /** Throws for what is no JSON. */
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
}

export interface JsonClientOptions extends JsonServerOptions {
  /** What stands before the paths, checked by `nodeUrl`. */
  readonly baseUrl: Secret;
  /** Beside those of JSON; asked for at each request. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "now">;
  /** Without it numbers are JavaScript's. */
  readonly codec?: JsonCodec;
  /** Largest answer, bytes; without it what `readJson` takes. */
  readonly maxBytes?: number;
}

/** Posts JSON to a node, and has an error for each way in which that gives no JSON. */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #server: JsonServer;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#server = new JsonServer(options);
  }

  /** The host, for logs: a path may hold a key. */
  get name(): string {
    return new URL(this.#options.baseUrl.reveal()).host;
  }

  /**
   * The JSON that is answered at `path`.
   *
   * @throws {RateLimitedError | UnauthorizedError} @throws {UnavailableError} `isTimeout` when nothing came in time.
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

  /** Ends what is on its way. */
  async close(): Promise<void> {
    await this.#server.destroy();
  }
}

function askedRestMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const asked = requestedWaitMs(429, headers, nowMs);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_REST_MS);
}
