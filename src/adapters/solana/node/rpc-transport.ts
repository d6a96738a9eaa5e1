import type { RpcTransport } from "@solana/kit";
import type { Clock } from "../../../kernel/clock.ts";
import type { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { createFailover } from "../../http/client/failover.ts";
import { type RpcAnswer, type RpcEndpoint, refusalOf, resultOf } from "../../http/client/json-rpc-endpoint.ts";

/**
 * Errors that are about the request: every other node would return the same error. Any other error is about the node:
 * it is behind, unhealthy, or refuses more requests. Sources: JSON-RPC 2.0, "Error object"; Agave, rpc-client-api,
 * custom_error.rs.
 */
const ABOUT_THE_QUESTION: ReadonlySet<unknown> = new Set([
  -32602, // invalid params
  -32003, // transaction signature verification failure
  -32006, // transaction precompile verification failure
  -32013, // transaction signature length mismatch
  -32015, // unsupported transaction version
]);

/** How long a failed node comes last in the order, milliseconds. Chosen. */
const rests = { firstMs: 10_000, longestMs: 10_000 };

export interface SolanaNodesOptions {
  /** In the order of the calls; at least one. */
  readonly endpoints: readonly RpcEndpoint[];
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
}

/**
 * kit's transport over Weir's own connections, with checked addresses, deadlines, limits, and failover to other nodes.
 * It throws the last node's UnavailableError when there is no answer; `isTimeout` when no answer came in time.
 */
export function rpcTransport({ endpoints: nodes, clock, log }: SolanaNodesOptions): RpcTransport {
  const failover = createFailover({ nodes, setting: "SOLANA_RPC_URL", rests, clock, log });
  const forever = new AbortController().signal;
  return async <T>({ payload, signal = forever }: { readonly payload: unknown; readonly signal?: AbortSignal }) => {
    const { id, method, params } = Object(payload);
    const askNode = async (endpoint: RpcEndpoint) => {
      const [answer] = await endpoint.ask([{ method, params }], signal);
      return { jsonrpc: "2.0", id, ...memberOf(answer) };
    };
    const asked = await failover(askNode, signal, { method });
    if ("value" in asked) return asked.value as T;
    throw unavailable(asked.failures.at(-1)?.error);
  };
}

/** The result or error of an answer, in the form that kit reads. */
function memberOf(answer: RpcAnswer | undefined): object {
  if (answer === undefined || !("failure" in answer)) return { result: resultOf(answer) };
  if (!ABOUT_THE_QUESTION.has(answer.failure.code)) throw new UnavailableError(refusalOf(answer.failure));
  return { error: answer.failure };
}

function unavailable(error: AppError | undefined): UnavailableError {
  if (error instanceof UnavailableError) return error;
  return new UnavailableError(error?.message ?? "there is no node to ask", {}, { cause: error });
}
