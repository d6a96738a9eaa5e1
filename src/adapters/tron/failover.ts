import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { fail, type Result } from "../../kernel/result.ts";
import { RateLimitedError, UnauthorizedError } from "../../worker/service-errors.ts";

/** One of several servers that answer alike. */
export interface Endpoint {
  /** For logs. */
  readonly host: string;
  /** @throws {AppError} */
  post(path: string, body: unknown): Promise<unknown>;
}

/** How long one that failed is asked last, milliseconds. Chosen: some blocks. */
const REST_MS = 10_000;
/** Servers asked for one answer at most: three that fail alike have a reason that a fourth has, too. */
const MAX_TRIES = 3;

export interface FailoverDeps {
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
  /** Reads the key anew, after one that a server refused. @returns whether there is another. */
  readonly refreshKey?: (() => Promise<boolean>) | undefined;
}

/** Asks one server after the other until an answer reads: those that are well first, in the order they were given. */
export class Failover {
  readonly #places: { readonly endpoint: Endpoint; badUntil: number }[];
  readonly #deps: FailoverDeps;

  constructor(endpoints: readonly Endpoint[], deps: FailoverDeps) {
    this.#places = endpoints.map((endpoint) => ({ endpoint, badUntil: 0 }));
    this.#deps = deps;
  }

  /** What `read` makes of the first answer that it can read; the last server's failure otherwise. */
  async ask<T>(path: string, body: unknown, read: (json: unknown) => Result<T>): Promise<Result<T>> {
    let last: Result<T> = fail("no node is configured");
    for (const place of this.#inOrder()) {
      const { endpoint } = place;
      const { result, restMs } = await tried(() => this.#post(endpoint, path, body), read);
      if (result.ok) {
        place.badUntil = 0;
        return result;
      }
      last = fail(`${endpoint.host}${path}: ${result.detail}`);
      place.badUntil = this.#deps.clock.ticks() + restMs;
      this.#deps.log.warn("a node failed", { host: endpoint.host, path, detail: result.detail });
    }
    return last;
  }

  /** Once more where the key was refused and its file holds another by now. */
  async #post(endpoint: Endpoint, path: string, body: unknown): Promise<unknown> {
    try {
      return await endpoint.post(path, body);
    } catch (thrown) {
      if (!(thrown instanceof UnauthorizedError) || (await this.#deps.refreshKey?.()) !== true) throw thrown;
      return endpoint.post(path, body);
    }
  }

  #inOrder() {
    const now = this.#deps.clock.ticks();
    const rest = (badUntil: number) => Math.max(0, badUntil - now);
    return this.#places.toSorted((a, b) => rest(a.badUntil) - rest(b.badUntil)).slice(0, MAX_TRIES);
  }
}

async function tried<T>(
  post: () => Promise<unknown>,
  read: (json: unknown) => Result<T>,
): Promise<{ readonly result: Result<T>; readonly restMs: number }> {
  try {
    return { result: read(await post()), restMs: REST_MS };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const asked = thrown instanceof RateLimitedError ? thrown.retryAfterMs : undefined;
    return { result: fail(thrown.message), restMs: Math.max(REST_MS, asked ?? 0) };
  }
}
