import type { ServiceNodes } from "../../worker/estimate/unserved-checks.ts";
import type { ScreenConfig } from "../config/config.ts";
import { evmUrlsOf } from "../config/node-urls.ts";

export type NodeSettings = Pick<
  ScreenConfig,
  | "SERVICE_URL"
  | "SOLANA_RPC_URL"
  | "SOLANA_RPC_URL_FILE"
  | "SOLANA_SNAPSHOT"
  | "EVM_RPC_URLS"
  | "EVM_RPC_URLS_FILE"
  | "EVM_RPC_ALLOW_HTTP"
>;

/** The nodes of the service that a run starts for itself. Undefined for another service, whose nodes are not known. */
export async function embeddedNodes(config: NodeSettings): Promise<ServiceNodes | undefined> {
  if (config.SERVICE_URL !== undefined) return undefined;
  const { SOLANA_RPC_URL, SOLANA_RPC_URL_FILE, SOLANA_SNAPSHOT } = config;
  return {
    evm: new Set((await evmUrlsOf(config)).keys()),
    hasSolana: SOLANA_RPC_URL.length > 0 || SOLANA_RPC_URL_FILE !== undefined || SOLANA_SNAPSHOT !== undefined,
  };
}
