import type { CallResult, LaterBlock, StateOverride } from "../../service/evm/node.ts";
import { WORD_BYTES } from "../../service/evm/word.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";
import type { RpcAnswer, RpcRequest } from "../http/client/json-rpc-endpoint.ts";
import { dataBytes, hex, listOf, member, quantity } from "./answer-values.ts";
import { isRefused, resultOf } from "./ask-endpoints.ts";
import { overridesJson } from "./overrides.ts";

/** Source: execution-apis, eth_simulateV1. Later blocks see the effects of the first block. */
export function followRequest(
  blocks: readonly LaterBlock[],
  overrides: readonly StateOverride[],
  at: bigint,
  gasPrice: bigint,
): RpcRequest {
  let number = at;
  const price = gasPrice === 0n ? {} : { gasPrice: hex(gasPrice) };
  const blockStateCalls = blocks.map(({ timeSec, blocks: further, calls }, i) => {
    number += further;
    const time = timeSec === undefined ? {} : { time: hex(timeSec) };
    return {
      blockOverrides: { number: hex(number), ...time },
      ...(i === 0 ? { stateOverrides: overridesJson(overrides) } : {}),
      calls: calls.map(({ from, to, data, gas }) => ({ from, to, data, gas: hex(gas), ...price })),
    };
  });
  const options = { blockStateCalls, traceTransfers: false, validation: false, returnFullTransactions: false };
  return { method: "eth_simulateV1", params: [options, hex(at)] };
}

/**
 * Nodes insert empty blocks where numbers are skipped. Undefined when the node refuses, as a node without simulation
 * does.
 * @throws {UnavailableError} for an invalid answer
 */
export function readFollowed(
  answer: RpcAnswer | undefined,
  blocks: readonly LaterBlock[],
): readonly (readonly CallResult[])[] | undefined {
  if (isRefused(answer)) return undefined;
  const made = listOf(resultOf(answer)).map((block) => listOf(member(block, "calls")));
  const asked = made.filter((calls) => calls.length > 0);
  if (asked.length !== blocks.length || asked.some((calls, i) => calls.length !== blocks[i]?.calls.length))
    throw new UnavailableError("the simulation has another number of calls than the request");
  return asked.map((calls) => calls.map(resultIn));
}

function resultIn(call: unknown): CallResult {
  if (quantity(member(call, "status")) !== 1n) return { ok: false };
  const data = member(call, "returnData");
  // A hostile contract returns megabytes. One word of them shows whether the call succeeded.
  return { ok: true, data: dataBytes(typeof data === "string" ? data.slice(0, 2 + 2 * WORD_BYTES) : data) };
}
