import { abortable } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { CallResult, EvmNode, Experiment, StateRead, ViewCall } from "../../service/evm/node.ts";
import type { RpcAnswer, RpcEndpoint, RpcRequest } from "../http/client/json-rpc-endpoint.ts";
import { dataBytes, hex, quantity, wordBytes } from "./answer-values.ts";
import { askEndpoints, resultOf } from "./ask-endpoints.ts";
import { createBlockCache } from "./block-cache.ts";
import { isCallFailure } from "./call-failure.ts";
import { followRequest, readFollowed } from "./later-blocks.ts";
import { decodeResults, encodeCalls, returned } from "./multicall.ts";
import { overridesJson } from "./overrides.ts";
import { isUnknownMethod, readRehearsal, readTouched, rehearsalRequest } from "./rehearsal.ts";

export interface EvmNodeOptions {
  /** Canonical id, decimal. */
  readonly chainId: string;
  /** Endpoints in the order of preference. */
  readonly endpoints: readonly RpcEndpoint[];
  /** The address of Multicall3 on the chain. Without it, calls are sent one by one in a batch. */
  readonly multicall: string | undefined;
  readonly clock: Pick<Clock, "ticks" | "sleep">;
  readonly log: Log;
}

/** Longest age of the number of the newest block, milliseconds. Chosen: no chain is queried for it more often. */
const HEAD_AGE_MS = 1_000;
const CACHE_BYTES = 16 * 1024 * 1024;
/**
 * Gas of one call, and of combined calls. It limits the data that called code can return, since memory costs gas: 0.5
 * MiB and 2.3 MiB. So ten such answers in hex fit into the read limit (10 MiB).
 */
const CALL_GAS = "0x7a120";
const MULTICALL_GAS = "0x989680";
/** Gas of an experiment: a purchase, two transfers and two sales by a token that burns all its gas. Chosen. */
const EXPERIMENT_GAS = "0xf42400";

/** How long a node without simulation gets no simulation request, milliseconds. Chosen. */
const WITHOUT_REHEARSAL_MS = 600_000;

/** One EVM chain behind its JSON-RPC endpoints. Answers are cached by block. */
export function openEvmNode(options: EvmNodeOptions): EvmNode {
  const { chainId, clock } = options;
  const ask = askEndpoints(options);
  const states = createBlockCache<Uint8Array>(CACHE_BYTES);
  const results = createBlockCache<CallResult>(CACHE_BYTES);
  let { multicall } = options;
  let rehearsesFrom = 0;
  let head: { readonly askedAt: number; readonly number: Promise<bigint> } | undefined;
  /** The gas price that the node reports with the newest block; 0 where it reports none. */
  let gasPrice = 0n;

  const newHead = () => {
    // All callers share this request, so none of them may abort it. The timeouts of the endpoints end it.
    const number = ask(
      [
        { method: "eth_blockNumber", params: [] },
        { method: "eth_gasPrice", params: [] },
      ],
      ([answer, price]) => {
        gasPrice = price !== undefined && "result" in price ? priceIn(price.result) : 0n;
        return quantity(resultOf(answer));
      },
      new AbortController().signal,
    );
    const asked = { askedAt: clock.ticks(), number };
    number.catch(() => {
      if (head === asked) head = undefined;
    });
    return asked;
  };

  const together = async (calls: readonly ViewCall[], at: bigint, signal: AbortSignal) => {
    if (multicall === undefined || calls.length < 2) return undefined;
    const params = [{ to: multicall, data: encodeCalls(calls), gas: MULTICALL_GAS }, hex(at)];
    const read = ([answer]: readonly RpcAnswer[]) => {
      if (answer !== undefined && "failure" in answer && isCallFailure(answer.failure)) return undefined;
      const result = resultOf(answer);
      // A call to an address without code succeeds and returns nothing, as on a private chain with a public id.
      if (result === "0x") multicall = undefined;
      return result === "0x" ? undefined : decodeResults(result, calls.length);
    };
    return ask([{ method: "eth_call", params }], read, signal);
  };

  const oneByOne = (calls: readonly ViewCall[], at: bigint, signal: AbortSignal) => {
    const requests = calls.map((call) => ({ method: "eth_call", params: [{ ...call, gas: CALL_GAS }, hex(at)] }));
    return ask(requests, (answers) => answers.map(resultOfCall), signal);
  };

  /**
   * A call after others may have failed for lack of the gas that they burned, so it is repeated alone. The first call
   * had more gas than it would have alone.
   */
  const callAll = async (calls: readonly ViewCall[], at: bigint, signal: AbortSignal) => {
    const first = await together(calls, at, signal);
    const again = calls.filter((_call, i) => first === undefined || (i > 0 && first[i]?.ok !== true));
    const second = again.length === 0 ? [] : await oneByOne(again, at, signal);
    const alone = new Map(again.map((call, i) => [call, second[i]]));
    return calls.map((call, i): CallResult => alone.get(call) ?? first?.[i] ?? { ok: false });
  };

  const experiment = (experiments: readonly Experiment[], at: bigint, signal: AbortSignal) => {
    const price = gasPrice === 0n ? {} : { gasPrice: hex(gasPrice) };
    const requests = experiments.map(({ from, to, data, overrides, pays }) => ({
      method: "eth_call",
      params: [{ from, to, data, gas: EXPERIMENT_GAS, ...(pays ? price : {}) }, hex(at), overridesJson(overrides)],
    }));
    return ask(requests, (answers) => answers.map(resultOfCall), signal);
  };

  /** Undefined from a node without simulation, which gets no such request again for a while. */
  const simulate = async <T>(request: RpcRequest, read: (answer: RpcAnswer | undefined) => T, signal: AbortSignal) => {
    if (clock.ticks() < rehearsesFrom) return undefined;
    const watched = ([answer]: readonly RpcAnswer[]) => {
      if (isUnknownMethod(answer)) rehearsesFrom = clock.ticks() + WITHOUT_REHEARSAL_MS;
      return read(answer);
    };
    return ask([request], watched, signal);
  };

  return {
    chainId,
    experiment,
    follow(blocks, overrides, at, signal) {
      const request = followRequest(blocks, overrides, at, gasPrice);
      return simulate(request, (answer) => readFollowed(answer, blocks), signal);
    },
    rehearse(rehearsal, at, signal) {
      return simulate(rehearsalRequest(rehearsal, at), (answer) => readRehearsal(answer, rehearsal), signal);
    },
    touched({ from, to, value, data }, at, signal) {
      const call = { from, to, value: hex(value), data, gas: EXPERIMENT_GAS };
      const request = { method: "eth_createAccessList", params: [call, hex(at)] };
      return ask([request], ([answer]) => readTouched(answer), signal);
    },
    async head(signal) {
      if (head === undefined || clock.ticks() - head.askedAt >= HEAD_AGE_MS) head = newHead();
      return abortable(head.number, signal);
    },
    read: (reads, at, signal) =>
      keptOr(
        reads,
        (read) => `${at} ${stateKey(read)}`,
        states,
        (bytes) => bytes.length,
        (missing) =>
          ask(
            missing.map((read) => stateRequest(read, at)),
            (answers) => answers.map((answer, i) => bytesOf(missing[i], resultOf(answer))),
            signal,
          ),
      ),
    call: (calls, at, signal) =>
      keptOr(
        calls,
        ({ to, data }) => `${at} ${to} ${data}`,
        results,
        (result) => (result.ok ? result.data.length : 0),
        (missing) => callAll(missing, at, signal),
      ),
  };
}

/** The gas price plus a quarter, so that a block with a higher price is paid, too. */
function priceIn(result: unknown): bigint {
  try {
    return (quantity(result) * 5n) / 4n;
  } catch {
    return 0n;
  }
}

function resultOfCall(answer: RpcAnswer): CallResult {
  if ("failure" in answer && isCallFailure(answer.failure)) return { ok: false };
  return returned(dataBytes(resultOf(answer)));
}

const stateKey = (read: StateRead) => `${read.of} ${read.address}${read.of === "storage" ? ` ${read.slot}` : ""}`;

function stateRequest(read: StateRead, at: bigint): RpcRequest {
  if (read.of === "storage") return { method: "eth_getStorageAt", params: [read.address, read.slot, hex(at)] };
  return { method: stateMethods[read.of], params: [read.address, hex(at)] };
}

const stateMethods = { code: "eth_getCode", balance: "eth_getBalance", nonce: "eth_getTransactionCount" } as const;

function bytesOf(read: StateRead | undefined, result: unknown): Uint8Array {
  return read?.of === "code" ? dataBytes(result) : wordBytes(result);
}

/** The values of `cache` for `wanted`. `ask` returns the missing ones in one call. */
async function keptOr<Q, A>(
  wanted: readonly Q[],
  keyOf: (one: Q) => string,
  cache: { get(key: string): A | undefined; set(key: string, value: A, bytes: number): void },
  sizeOf: (answer: A) => number,
  ask: (missing: readonly Q[]) => Promise<readonly A[]>,
): Promise<readonly A[]> {
  const known = new Map(wanted.map((one) => [keyOf(one), cache.get(keyOf(one))]));
  const missing = [...new Map(wanted.map((one) => [keyOf(one), one])).values()].filter(
    (one) => known.get(keyOf(one)) === undefined,
  );
  const answers = missing.length === 0 ? [] : await ask(missing);
  for (const [i, one] of missing.entries()) {
    const answer = answers[i];
    if (answer === undefined) continue;
    known.set(keyOf(one), answer);
    cache.set(keyOf(one), answer, sizeOf(answer));
  }
  return wanted.map((one) => {
    const answer = known.get(keyOf(one));
    if (answer === undefined) throw new Error("a question without an answer");
    return answer;
  });
}
