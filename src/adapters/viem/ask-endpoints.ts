import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { NodeUnavailableError } from "../../service/evm/node.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";
import { createFailover, type Fault } from "../http/client/failover.ts";
import {
  type RpcAnswer,
  type RpcEndpoint,
  type RpcRequest,
  refusalOf,
  resultOf as resultOrThrow,
} from "../http/client/json-rpc-endpoint.ts";
import { quantity } from "./answer-values.ts";

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

/** Rest of an endpoint that failed, doubled with each further failure, and the longest, milliseconds. Chosen. */
const rests = { firstMs: 1_000, longestMs: 60_000 };
/** How long an endpoint is believed to be of its chain: behind one URL there may be another node tomorrow. Chosen. */
const CHECK_EVERY_MS = 60_000;
/** A URL that belongs to another chain is a mistake of the configuration: it will not go away in seconds. */
const wrongChain: Fault = { restMs: 60_000, says: "is of another chain" };
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
  /** When each last told the right chain id, monotonic milliseconds. */
  const toldAt = new Map<RpcEndpoint, number>();

  const judge = (endpoint: RpcEndpoint, error: AppError): Fault | undefined => {
    if (error instanceof BehindError) return "none";
    toldAt.delete(endpoint);
    return error instanceof WrongChainError ? wrongChain : undefined;
  };
  const failover = createFailover({ nodes: endpoints, setting: "EVM_RPC_URLS", rests, clock, log, judge });

  const askOne = async <T>(
    endpoint: RpcEndpoint,
    requests: readonly RpcRequest[],
    read: (answers: readonly RpcAnswer[]) => T,
    signal: AbortSignal,
  ) => {
    const told = toldAt.get(endpoint);
    const check = told === undefined || clock.ticks() - told >= CHECK_EVERY_MS ? [chainIdRequest] : [];
    const answers = await endpoint.ask([...check, ...requests], signal);
    if (check.length > 0) {
      refuseStranger(chainId, answers[0]);
      toldAt.set(endpoint, clock.ticks());
    }
    return read(answers.slice(check.length));
  };

  return async (requests, read, signal) => {
    for (let round = 0; ; round++) {
      const askNode = (endpoint: RpcEndpoint) => askOne(endpoint, requests, read, signal);
      const asked = await failover(askNode, signal, { chain: chainId });
      if ("value" in asked) return asked.value;
      const isBehind = asked.failures.some(({ error }) => error instanceof BehindError);
      if (!isBehind || round === BEHIND_ROUNDS) {
        const reasons = asked.failures.map(({ node, error }) => `${node.name}: ${error.message}`);
        throw new NodeUnavailableError(`no endpoint of chain ${chainId} answers: ${reasons.join("; ")}`);
      }
      await clock.sleep(BEHIND_WAIT_MS, signal);
    }
  };
}

function refuseStranger(chainId: string, answer: RpcAnswer | undefined): void {
  const told = quantity(resultOf(answer)).toString();
  if (told !== chainId) throw new WrongChainError(`it is of chain ${told}`);
}

class WrongChainError extends UnavailableError {}
/** It is not the endpoint's fault: its chain will come to the block. */
class BehindError extends UnavailableError {}

/** Whether a refusal says that the node has not seen the block yet. */
function isBehind(message: string): boolean {
  return behind.test(message);
}

/** Whether a node refuses for good: one that has not seen the block yet is waited for. */
export function isRefused(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && "failure" in answer && !isBehind(answer.failure.message);
}

/** The result of an answer. @throws {UnavailableError} when the endpoint refused, or there is none. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer !== undefined && "failure" in answer && isBehind(answer.failure.message))
    throw new BehindError(refusalOf(answer.failure));
  return resultOrThrow(answer);
}
