import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { UnauthorizedError, UnavailableError } from "../../worker/answers/service-errors.ts";
import { createFailover } from "../http/client/failover.ts";

/** One of several nodes with equivalent answers. */
export interface Endpoint {
  /** The host of the node, for logs. */
  readonly name: string;
  /** @throws {AppError} */
  post(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
}

/**
 * Requests JSON at a path. @returns the result of `read` for the first readable answer; the last node's failure
 * otherwise.
 */
export type AskNodes = <T>(path: string, body: unknown, read: (json: unknown) => Result<T>) => Promise<Result<T>>;

/** How long a failed node comes last in the order, milliseconds. Chosen: some blocks. */
const rests = { firstMs: 10_000, longestMs: 10_000 };
/** Most nodes that are called for one answer: when three fail alike, a fourth fails for the same reason. */
const MAX_TRIES = 3;

export interface AskNodesOptions {
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
  /** Reads the key again after a node refused it. @returns whether the key has changed. */
  readonly refreshKey?: (() => Promise<boolean>) | undefined;
}

/** Calls one node after the other until an answer is readable: working nodes first, in the given order. */
export function askNodes(endpoints: readonly Endpoint[], { clock, log, refreshKey }: AskNodesOptions): AskNodes {
  // No caller aborts a request: each has its deadline, and closing the nodes aborts the requests in flight.
  const { signal } = new AbortController();
  const failover = createFailover({
    nodes: endpoints,
    setting: "TRON_RPC_URL",
    rests,
    maxTries: MAX_TRIES,
    clock,
    log,
  });

  /** Repeats a request with a refused key when the file of the key has changed. */
  const post = async (endpoint: Endpoint, path: string, body: unknown) => {
    try {
      return await endpoint.post(path, body, signal);
    } catch (thrown) {
      if (!(thrown instanceof UnauthorizedError) || (await refreshKey?.()) !== true) throw thrown;
      return endpoint.post(path, body, signal);
    }
  };

  return async (path, body, read) => {
    const askNode = async (endpoint: Endpoint) => {
      const result = read(await post(endpoint, path, body));
      if (!result.ok) throw new UnavailableError(result.detail);
      return result.value;
    };
    const asked = await failover(askNode, signal, { path });
    if ("value" in asked) return ok(asked.value);
    const last = asked.failures.at(-1);
    return fail(last === undefined ? "no node is configured" : `${last.node.name}${path}: ${last.error.message}`);
  };
}
