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

/**
 * Sends requests to a chain and reads the answers. `read` throws {UnavailableError} for invalid answers; another
 * endpoint is called then.
 */
export type AskChain = <T>(
  requests: readonly RpcRequest[],
  read: (answers: readonly RpcAnswer[]) => T,
  signal: AbortSignal,
) => Promise<T>;

/**
 * Messages of a node that has not seen a block yet. There may be several nodes behind one URL, and another one may have
 * reported the block.
 */
const behind =
  /header not found|(unknown|missing) block|block (number )?(is )?(not found|unknown)|block ?out ?of ?range|after last (accepted|indexed) block/i;
/** How often a node that is behind is waited for, and how long, milliseconds. Chosen. */
const BEHIND_ROUNDS = 2;
const BEHIND_WAIT_MS = 250;

/** Rest of a failed endpoint, doubled with each further failure, and the longest rest, milliseconds. Chosen. */
const rests = { firstMs: 1_000, longestMs: 60_000 };
/** How long a chain id that was checked stays valid: another node may be behind the URL tomorrow. Chosen. */
const CHECK_EVERY_MS = 60_000;
/** A URL of another chain is a mistake in the configuration, which does not vanish within seconds. */
const wrongChain: Fault = { restMs: 60_000, says: "is of another chain" };
const chainIdRequest: RpcRequest = { method: "eth_chainId", params: [] };

/**
 * Calls the endpoints of one chain, one after the other until an answer is readable. Each endpoint must first report
 * its chain id, and again every minute, in one batch with the requests.
 */
export function askEndpoints(options: {
  readonly chainId: string;
  readonly endpoints: readonly RpcEndpoint[];
  readonly clock: Pick<Clock, "ticks" | "sleep">;
  readonly log: Log;
}): AskChain {
  const { chainId, endpoints, clock, log } = options;
  /** Monotonic milliseconds at which each endpoint last reported the right chain id. */
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
/** The endpoint is not at fault: its chain will reach the block. */
class BehindError extends UnavailableError {}

/** Whether a refusal means that the node has not seen the block yet. */
function isBehind(message: string): boolean {
  return behind.test(message);
}

/** Whether a node refuses for good. A node that has not seen the block yet is waited for instead. */
export function isRefused(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && "failure" in answer && !isBehind(answer.failure.message);
}

/** The result of an answer. @throws {UnavailableError} when the endpoint refused, or when there is no result. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer !== undefined && "failure" in answer && isBehind(answer.failure.message))
    throw new BehindError(refusalOf(answer.failure));
  return resultOrThrow(answer);
}
