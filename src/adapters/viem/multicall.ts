import { decodeFunctionResult, encodeFunctionData, getAddress, hexToBytes, isHex, multicall3Abi } from "viem";
import type { CallResult, ViewCall } from "../../service/evm/node.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";

/** Longest data that a call may return, bytes. No standard returns more; a call with longer data counts as failed. */
const MAX_RETURNED_BYTES = 65_536;

/** Calldata of Multicall3's aggregate3, each call allowed to fail. */
export function encodeCalls(calls: readonly ViewCall[]): string {
  const args = calls.map(({ to, data }) => {
    if (!isHex(data)) throw new Error("calldata that is not hex");
    return { target: getAddress(to), allowFailure: true, callData: data };
  });
  return encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
}

/** The result of aggregate3 for `count` calls. @throws {UnavailableError} when it is no such result. */
export function decodeResults(data: unknown, count: number): readonly CallResult[] {
  const results = decoded(data);
  if (results?.length !== count) throw new UnavailableError("the answer is not an answer of Multicall3");
  return results.map(({ success, returnData }) => (success ? returned(hexToBytes(returnData)) : { ok: false }));
}

/** A call that succeeded with `data`. */
export function returned(data: Uint8Array): CallResult {
  return data.length <= MAX_RETURNED_BYTES ? { ok: true, data } : { ok: false };
}

function decoded(data: unknown) {
  if (!isHex(data)) return undefined;
  try {
    return decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data });
  } catch {
    // The bytes do not match the ABI; the caller reports them.
    return undefined;
  }
}
