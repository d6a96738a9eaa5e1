import * as definitions from "viem/chains";
import type { Secret } from "../../kernel/secret.ts";
import type { EvmNode, EvmNodes } from "../../service/evm/node.ts";
import { openRpcEndpoint, type RpcEndpointOptions } from "../http/client/json-rpc-endpoint.ts";
import { type EvmNodeOptions, openEvmNode } from "./evm-node.ts";

/** URLs by canonical chain id, each checked by `nodeUrl`. */
export type RpcUrls = ReadonlyMap<string, readonly Secret[]>;

export type EvmNodesOptions = Pick<EvmNodeOptions, "clock" | "log"> &
  Pick<RpcEndpointOptions, "lookup" | "concurrency" | "quota" | "timeoutMs" | "clock">;

/**
 * Opens nodes of every chain that has URLs, whether viem knows the chain or not. The result includes the function to
 * close them.
 */
export function openEvmNodes(
  urls: RpcUrls,
  options: EvmNodesOptions,
): EvmNodes & { readonly close: () => Promise<void> } {
  const multicalls = multicallByChain();
  const closers: (() => Promise<void>)[] = [];
  const nodes = new Map<string, EvmNode>();
  for (const [chainId, urlsOfChain] of urls) {
    const endpoints = urlsOfChain.map((url, i) => {
      const endpoint = openRpcEndpoint({
        ...options,
        setting: "EVM_RPC_URLS",
        url,
        name: `${new URL(url.reveal()).host} (${i + 1})`,
      });
      closers.push(endpoint.close);
      return endpoint;
    });
    const { clock, log } = options;
    nodes.set(chainId, openEvmNode({ chainId, endpoints, multicall: multicalls.get(chainId), clock, log }));
  }
  return {
    find: (chainId) => nodes.get(chainId),
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/**
 * The addresses of Multicall3 in viem, by chain id. Of definitions with the same id, the first with an address counts.
 */
function multicallByChain(): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const chain of Object.values(definitions)) {
    const { id, contracts } = Object(chain);
    const address: unknown = contracts?.multicall3?.address;
    const chainId = String(id);
    if (typeof address === "string" && !known.has(chainId)) known.set(chainId, address.toLowerCase());
  }
  return known;
}
