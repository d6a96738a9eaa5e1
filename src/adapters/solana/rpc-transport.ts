import type { RpcTransport } from "@solana/kit";
import { parseWithBigInts, stringifyWithBigInts } from "../../kernel/json.ts";
import { UnavailableError } from "../../worker/service-errors.ts";
import type { RpcEndpoints } from "../http/rpc-endpoints.ts";

/**
 * Errors that are about the question; every other node would say the same. Whatever else a node says is about itself: that
 * it is behind, unhealthy, or gives no more answers. Sources: JSON-RPC 2.0, "Error object"; Agave, rpc-client-api,
 * custom_error.rs.
 */
const ABOUT_THE_QUESTION: ReadonlySet<unknown> = new Set([
  -32602, // invalid params
  -32003, // transaction signature verification failure
  -32006, // transaction precompile verification failure
  -32013, // transaction signature length mismatch
  -32015, // unsupported transaction version
]);

/** kit's transport over our own connections: with checked addresses, deadlines, bounds, and other nodes to fall back on. */
export function rpcTransport(endpoints: RpcEndpoints, forever: AbortSignal): RpcTransport {
  return async <T>({ payload, signal = forever }: { readonly payload: unknown; readonly signal?: AbortSignal }) =>
    endpoints.ask(stringifyWithBigInts(payload), readAnswer, signal) as Promise<T>;
}

function readAnswer(text: string): object {
  const answer = parsed(text);
  if (typeof answer !== "object" || answer === null) throw new UnavailableError("the node's answer is no JSON-RPC");
  const error: unknown = Reflect.get(answer, "error");
  if (error === undefined || error === null) {
    if (!("result" in answer)) throw new UnavailableError("the node's answer is no JSON-RPC");
    return answer;
  }
  const code: unknown = typeof error === "object" ? Reflect.get(error, "code") : undefined;
  if (ABOUT_THE_QUESTION.has(code)) return answer;
  throw new UnavailableError(`the node answered with the JSON-RPC error ${typeof code === "number" ? code : "?"}`);
}

function parsed(text: string): unknown {
  try {
    return parseWithBigInts(text);
  } catch (thrown) {
    // The engine's message would quote the answer.
    throw new UnavailableError("the node's answer is not valid JSON", {}, { cause: thrown });
  }
}
