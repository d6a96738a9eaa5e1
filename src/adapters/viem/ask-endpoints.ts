import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { NodeUnavailableError } from "../../service/evm/node.ts";
import { RateLimitedError, UnavailableError } from "../../worker/service-errors.ts";
import type { RpcAnswer, RpcEndpoint, RpcRequest } from "../http/json-rpc-endpoint.ts";
import { quantity } from "./answer-bytes.ts";
import { createRota } from "./rota.ts";

/** Asks a chain and reads the answers. `read` throws {UnavailableError} for answers that cannot be; another endpoint is asked then. */
export type AskChain = <T>(
  requests: readonly RpcRequest[],
  read: (answers: readonly RpcAnswer[]) => T,
  signal: AbortSignal,
) => Promise<T>;

/** A URL that belongs to another chain is a mistake of the configuration: it will not go away in seconds. */
const WRONG_CHAIN_REST_MS = 60_000;
const chainIdRequest: RpcRequest = { method: "eth_chainId", params: [] };

/**
 * Asks the endpoints of one chain, one after the other until one gives an answer that can be read. Each has to tell
 * its chain id first, and again every minute, together with what it is asked.
 */
export function askEndpoints(options: {
  readonly chainId: string;
  readonly endpoints: readonly RpcEndpoint[];
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
}): AskChain {
  const { chainId, endpoints, clock, log } = options;
  const rota = createRota(endpoints);

  const askOne = async <T>(
    endpoint: RpcEndpoint,
    requests: readonly RpcRequest[],
    read: (answers: readonly RpcAnswer[]) => T,
    signal: AbortSignal,
  ) => {
    const check = rota.mustTellChain(endpoint, clock.ticks()) ? [chainIdRequest] : [];
    const answers = await endpoint.ask([...check, ...requests], signal);
    if (check.length > 0) {
      const told = quantity(resultOf(answers[0])).toString();
      if (told !== chainId) throw new WrongChainError(`it is of chain ${told}`);
      rota.toldChain(endpoint, clock.ticks());
    }
    return read(answers.slice(check.length));
  };

  return async (requests, read, signal) => {
    const failures: string[] = [];
    for (const endpoint of rota.order(clock.ticks())) {
      try {
        const value = await askOne(endpoint, requests, read, signal);
        rota.worked(endpoint);
        return value;
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof AppError)) throw thrown;
        const rest = thrown instanceof RateLimitedError ? thrown.retryAfterMs : undefined;
        rota.failed(endpoint, clock.ticks(), thrown instanceof WrongChainError ? WRONG_CHAIN_REST_MS : rest);
        const fields = { chain: chainId, endpoint: endpoint.name, reason: thrown.message };
        if (thrown instanceof WrongChainError) log.error("an endpoint of EVM_RPC_URLS is of another chain", fields);
        else log.warn("an endpoint of EVM_RPC_URLS gives no usable answer", fields);
        failures.push(`${endpoint.name}: ${thrown.message}`);
      }
    }
    throw new NodeUnavailableError(`no endpoint of chain ${chainId} answers: ${failures.join("; ")}`);
  };
}

class WrongChainError extends UnavailableError {}

/** The result of an answer. @throws {UnavailableError} when the endpoint refused, or there is none. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new UnavailableError("an answer is missing");
  if ("failure" in answer)
    throw new UnavailableError(`it refuses: ${answer.failure.code} ${answer.failure.message}`.trim());
  return answer.result;
}
