import { parseWithBigInts, stringifyWithBigInts } from "../../../kernel/json.ts";
import type { Secret } from "../../../kernel/secret.ts";
import { openRpcEndpoint, type RpcEndpoint, type RpcEndpointOptions } from "../../http/client/json-rpc-endpoint.ts";

/** Largest answer, bytes: all accounts that one transaction may load (64 MiB) as base64, plus the JSON around them. */
const MAX_ANSWER_BYTES = 96 * 1024 * 1024;
/** Requests in flight to one node at once. */
const CONCURRENCY = 16;
/** Whole numbers of 64 bits are read and written exactly. */
const codec = { parse: parseWithBigInts, stringify: stringifyWithBigInts };

/** Endpoints of Solana nodes, in the order of their URLs, each checked by `nodeUrl`. */
export function openSolanaEndpoints(
  urls: readonly Secret[],
  options: Pick<RpcEndpointOptions, "clock" | "lookup" | "timeoutMs">,
): readonly RpcEndpoint[] {
  return urls.map((url, i) =>
    openRpcEndpoint({
      ...options,
      setting: "SOLANA_RPC_URL",
      url,
      name: `${new URL(url.reveal()).host} (${i + 1})`,
      concurrency: CONCURRENCY,
      codec,
      maxBytes: MAX_ANSWER_BYTES,
    }),
  );
}
