import { type Agent, request as send } from "undici";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { parseExact } from "../../kernel/json.ts";
import { RateLimitedError, UnauthorizedError, UnavailableError } from "../../worker/service-errors.ts";
import { checkedAgent } from "./checked-agent.ts";
import type { Lookup, UrlSetting } from "./checked-lookup.ts";
import { withDeadline } from "./deadline.ts";
import { readJson } from "./read-body.ts";
import { reasonOf } from "./reason.ts";
import { retryAfterMs } from "./retry-after.ts";

export interface JsonClientOptions {
  /** What stands before the paths, checked by `checkedUrl`. */
  readonly baseUrl: string;
  /** The variable that it comes from. */
  readonly setting: UrlSetting;
  /** Beside those of JSON; asked for at each request. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, "now">;
  readonly lookup: Lookup;
  /** Requests on the wire at once. */
  readonly connections: number;
  /** From the first byte sent to the last byte read, milliseconds. */
  readonly timeoutMs: number;
}

/** Posts JSON to a server that is not ours and is believed nothing: no redirect, no packed and no endless answer. */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #agent: Agent;
  readonly #closing = new AbortController();

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#agent = checkedAgent(options);
  }

  /** The host, for logs: a path may hold a key. */
  get host(): string {
    return new URL(this.#options.baseUrl).host;
  }

  /**
   * The JSON that `path` answers, numbers kept as they are written.
   *
   * @throws {RateLimitedError | UnauthorizedError | UnavailableError}
   */
  async post(path: string, body: unknown): Promise<unknown> {
    const { baseUrl, headers, clock, timeoutMs } = this.#options;
    try {
      return await withDeadline(timeoutMs, this.#closing.signal, async (signal) => {
        const response = await send(`${baseUrl}${path}`, {
          dispatcher: this.#agent,
          method: "POST",
          headers: {
            ...headers(),
            accept: "application/json",
            "accept-encoding": "identity",
            "content-type": "application/json",
          },
          body: JSON.stringify(body),
          signal,
        });
        try {
          const { statusCode: status } = response;
          const waits = response.headers["retry-after"];
          if (status === 429) throw limited(typeof waits === "string" ? retryAfterMs(waits, clock.now()) : undefined);
          if (status === 401 || status === 403) throw new UnauthorizedError(`answered ${status}`);
          if (status !== 200) throw new UnavailableError(`answered ${status}`, { status });
          return await readJson(response.body, response.headers, { parse: parseExact });
        } finally {
          // A body that nobody reads to its end would keep its connection for good.
          await response.body.dump();
        }
      });
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      throw new UnavailableError(`no answer: ${reasonOf(thrown)}`, {}, { cause: thrown });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("closing"));
    await this.#agent.close();
  }
}

function limited(afterMs: number | undefined): RateLimitedError {
  return new RateLimitedError("answered 429", afterMs);
}
