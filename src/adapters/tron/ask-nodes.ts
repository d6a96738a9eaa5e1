import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { UnauthorizedError, UnavailableError } from "../../worker/answers/service-errors.ts";
import { createFailover } from "../http/client/failover.ts";

/** One of several nodes that answer alike. */
export interface Endpoint {
  /** For logs: its host. */
  readonly name: string;
  /** @throws {AppError} */
  post(path: string, body: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Asks for JSON at a path. @returns what `read` makes of the first answer that it can read; the last node's failure otherwise. */
export type AskNodes = <T>(path: string, body: unknown, read: (json: unknown) => Result<T>) => Promise<Result<T>>;

/** How long one that failed is asked last, milliseconds. Chosen: some blocks. */
const rests = { firstMs: 10_000, longestMs: 10_000 };
/** Nodes asked for one answer at most: three that fail alike have a reason that a fourth has, too. */
const MAX_TRIES = 3;

export interface AskNodesOptions {
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
  /** Reads the key anew, after one that a node refused. @returns whether there is another. */
  readonly refreshKey?: (() => Promise<boolean>) | undefined;
}

/** Asks one node after the other until an answer reads: those that are well first, in the order they were given. */
export function askNodes(endpoints: readonly Endpoint[], { clock, log, refreshKey }: AskNodesOptions): AskNodes {
  // Nobody gives up an answer: each has its deadline, and closing the nodes ends what is on its way.
  const { signal } = new AbortController();
  const failover = createFailover({
    nodes: endpoints,
    setting: "TRON_RPC_URL",
    rests,
    maxTries: MAX_TRIES,
    clock,
    log,
  });

  /** Once more where the key was refused and its file holds another by now. */
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
