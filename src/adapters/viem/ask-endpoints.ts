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

/** Behind one URL there may be several nodes, of which one has not seen the block yet that another has told of. */
const behind =
  /header not found|(unknown|missing) block|block (number )?(is )?(not found|unknown)|block ?out ?of ?range|after last (accepted|indexed) block/i;
/** How often that is waited for, and how long, milliseconds. Chosen. */
const BEHIND_ROUNDS = 2;
const BEHIND_WAIT_MS = 250;

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
  readonly clock: Pick<Clock, "ticks" | "sleep">;
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

  /** One round over the endpoints: a value, or why each gave none. */
  const askRound: Round = async (requests, read, signal) => {
    const failures: string[] = [];
    let isBehind = false;
    for (const endpoint of rota.order(clock.ticks())) {
      try {
        const value = await askOne(endpoint, requests, read, signal);
        rota.worked(endpoint);
        return { value };
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof AppError)) throw thrown;
        failures.push(`${endpoint.name}: ${thrown.message}`);
        if (thrown instanceof BehindError) isBehind = true;
        else giveRest(endpoint, thrown);
      }
    }
    return { failures, isBehind };
  };

  const giveRest = (endpoint: RpcEndpoint, error: AppError) => {
    const rest = error instanceof RateLimitedError ? error.retryAfterMs : undefined;
    rota.failed(endpoint, clock.ticks(), error instanceof WrongChainError ? WRONG_CHAIN_REST_MS : rest);
    const fields = { chain: chainId, endpoint: endpoint.name, reason: error.message };
    if (error instanceof WrongChainError) log.error("an endpoint of EVM_RPC_URLS is of another chain", fields);
    else log.warn("an endpoint of EVM_RPC_URLS gives no usable answer", fields);
  };

  return async (requests, read, signal) => {
    for (let round = 0; ; round++) {
      const asked = await askRound(requests, read, signal);
      if ("value" in asked) return asked.value;
      if (!asked.isBehind || round === BEHIND_ROUNDS)
        throw new NodeUnavailableError(`no endpoint of chain ${chainId} answers: ${asked.failures.join("; ")}`);
      await clock.sleep(BEHIND_WAIT_MS, signal);
    }
  };
}

type Round = <T>(
  requests: readonly RpcRequest[],
  read: (answers: readonly RpcAnswer[]) => T,
  signal: AbortSignal,
) => Promise<{ readonly value: T } | { readonly failures: readonly string[]; readonly isBehind: boolean }>;

class WrongChainError extends UnavailableError {}
/** It is not the endpoint's fault: its chain will come to the block. */
class BehindError extends UnavailableError {}

/** The result of an answer. @throws {UnavailableError} when the endpoint refused, or there is none. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new UnavailableError("an answer is missing");
  if ("failure" in answer) {
    const said = `it refuses: ${answer.failure.code} ${answer.failure.message}`;
    throw behind.test(answer.failure.message) ? new BehindError(said) : new UnavailableError(said);
  }
  return answer.result;
}
