import type { CoinMove, EvmEventLog, Rehearsal, Rehearsed, ViewCall } from "../../service/evm/node.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";
import type { RpcAnswer, RpcRequest } from "../http/client/json-rpc-endpoint.ts";
import { dataBytes, hex, listOf, member, quantity } from "./answer-values.ts";
import { isRefused, resultOf } from "./ask-endpoints.ts";
import { returned } from "./multicall.ts";
import { overridesJson } from "./overrides.ts";

/**
 * Gas of the transaction: 8 million. It limits the answer, as each log costs 375 gas and takes some 400 bytes of JSON.
 * So an answer never exceeds the 10 MiB that are read, whatever is called.
 */
const RUN_GAS = "0x7a1200";
/** Gas of a view. Chosen: the balance of a proxy behind a proxy takes a quarter of it. */
const VIEW_GAS = "0x30d40";
/** The token address under which nodes report moves of native coins. Source: eth_simulateV1, "traceTransfers". */
const COINS = `0x${"ee".repeat(20)}`;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Kept beginning of the data that a failed call returned, bytes. */
const MAX_REASON_BYTES = 256;
/**
 * The accounts of a payment of one wei in a separate block. An answer without that payment shows that the node does not
 * report moves of coins.
 */
const [CANARY, CANARY_FRIEND] = [`0x${"ca".repeat(19)}01`, `0x${"ca".repeat(19)}02`];

/** Source: execution-apis, eth_simulateV1. */
export function rehearsalRequest({ from, to, value, data, views, overrides }: Rehearsal, at: bigint): RpcRequest {
  const looks = views.map((view: ViewCall) => ({ ...view, gas: VIEW_GAS }));
  const run = { from, to, value: hex(value), data, gas: RUN_GAS };
  const blocks = [
    { stateOverrides: overridesJson(overrides), calls: [...looks, run, ...looks] },
    {
      stateOverrides: overridesJson([{ address: CANARY, balance: 1n }]),
      calls: [{ from: CANARY, to: CANARY_FRIEND, value: "0x1" }],
    },
  ];
  const options = { blockStateCalls: blocks, traceTransfers: true, validation: false, returnFullTransactions: false };
  return { method: "eth_simulateV1", params: [options, hex(at)] };
}

/** geth's code for a sender that cannot pay. All nodes use the same words. */
const TOO_POOR = -38014;
const poor = /insufficient (funds|balance)/i;

/** Whether a node reports that it lacks the method. Source: JSON-RPC 2.0, "Error object". */
export function isUnknownMethod(answer: RpcAnswer | undefined): boolean {
  return answer !== undefined && "failure" in answer && answer.failure.code === -32601;
}

/** @throws {UnavailableError} for an invalid answer; another endpoint is called then. */
export function readRehearsal(answer: RpcAnswer | undefined, { views }: Rehearsal): Rehearsed | "too_poor" | undefined {
  if (answer !== undefined && "failure" in answer) {
    const { code, message } = answer.failure;
    if (code === TOO_POOR || poor.test(message)) return "too_poor";
  }
  if (isRefused(answer)) return undefined;
  const [block, canary] = listOf(resultOf(answer));
  const calls = listOf(member(block, "calls"));
  if (calls.length !== 2 * views.length + 1)
    throw new UnavailableError("the simulation has another number of calls than the request");
  const run = calls[views.length];
  const logs = listOf(member(run, "logs")).map(logOf);
  if (!listOf(member(canary, "calls")).some((call) => listOf(member(call, "logs")).some(isCoinMove))) return undefined;
  const failed = !succeeded(run);
  return {
    ending: failed ? { ok: false, returned: saidBy(run) } : { ok: true },
    before: calls.slice(0, views.length).map(viewOf),
    after: calls.slice(views.length + 1).map(viewOf),
    logs: logs.filter(({ contract }) => contract !== COINS),
    coins: logs.filter(({ contract }) => contract === COINS).map(coinMoveOf),
  };
}

function succeeded(call: unknown): boolean {
  return quantity(member(call, "status")) === 1n;
}

/** The data that a failed call returned. geth reports it only beside the error, anvil in place of a result. */
function saidBy(call: unknown): Uint8Array {
  const returned = beginningOf(member(call, "returnData"));
  const beside = member(member(call, "error"), "data");
  return returned.length === 0 && typeof beside === "string" ? beginningOf(beside) : returned;
}

/** A hostile contract returns megabytes, and its node is not at fault. */
function beginningOf(data: unknown): Uint8Array {
  return dataBytes(typeof data === "string" ? data.slice(0, 2 + 2 * MAX_REASON_BYTES) : data);
}

function viewOf(call: unknown) {
  return succeeded(call) ? returned(dataBytes(member(call, "returnData"))) : ({ ok: false } as const);
}

function logOf(log: unknown): EvmEventLog {
  const topics = listOf(member(log, "topics")).map(digitsOf);
  return { contract: `0x${digitsOf(member(log, "address"))}`, topics, data: digitsOf(member(log, "data")) };
}

function isCoinMove(log: unknown): boolean {
  const { contract, topics } = logOf(log);
  return contract === COINS && `0x${topics[0]}` === TRANSFER;
}

function coinMoveOf({ topics: [, from = "", to = ""], data }: EvmEventLog): CoinMove {
  if (from.length !== 64 || to.length !== 64 || data.length !== 64)
    throw new UnavailableError("the answer has no transfer where a transfer of coins belongs");
  return { from: `0x${from.slice(24)}`, to: `0x${to.slice(24)}`, amount: BigInt(`0x${data}`) };
}

function digitsOf(value: unknown): string {
  const digits = typeof value === "string" ? /^0x((?:[0-9a-fA-F]{2})*)$/.exec(value)?.[1] : undefined;
  if (digits === undefined) throw new UnavailableError("the answer has no bytes where bytes belong");
  return digits.toLowerCase();
}

/** @returns undefined when the node reports none, as for a failing transaction. @throws {UnavailableError} */
export function readTouched(answer: RpcAnswer | undefined): readonly string[] | undefined {
  if (isRefused(answer)) return undefined;
  return listOf(member(resultOf(answer), "accessList")).map((entry) => `0x${digitsOf(member(entry, "address"))}`);
}
