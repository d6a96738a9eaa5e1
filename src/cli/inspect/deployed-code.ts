import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import { gather } from "../../service/address-classify/gather.ts";
import type { EvmConfig } from "../config/config.ts";
import { openEvm } from "../wiring/open-evm.ts";

const CLOSE_DEADLINE_MS = 1_000;

/** The location of code, in the output of `weir inspect`. */
export interface DeployedAt {
  /** Canonical id, decimal. */
  readonly chain_id: string;
  readonly address: string;
  /** Number of the block after which the code was read, decimal. */
  readonly block: string;
  /** The kind of proxy at the address; empty where it is no proxy, as is `implementation`. */
  readonly proxy_type: string;
  readonly implementation: string;
  /** The address with the code: the implementation, or the address itself where the implementation has no code. */
  readonly code_of: string;
}

/**
 * The code that runs at an address: for a proxy, the code of its implementation, where that has code.
 *
 * @throws {ConfigInvalidError} when the chain has no node or the address is invalid. @throws {NodeUnavailableError}
 */
export async function readDeployedCode(
  { chain, address }: { readonly chain: string; readonly address: string },
  config: EvmConfig,
  signal: AbortSignal,
): Promise<{ readonly at: DeployedAt; readonly code: Uint8Array }> {
  const opened = new Lifecycle();
  try {
    const evm = await openEvm(config, opened, quietLog);
    const chainId = findChain(chain)?.id ?? chain;
    const node = evm?.nodes.find(chainId);
    if (node === undefined) throw new ConfigInvalidError(`no node of chain ${chain}: name its URL in EVM_RPC_URLS`);
    const parsed = parseAddress("evm", address);
    if (!parsed.ok) throw new ConfigInvalidError(`ADDRESS: ${parsed.detail}`);
    const { proxy, implementationCode, code, block } = await gather(node, parsed.value, signal);
    const isBehind = implementationCode.length > 0 && proxy?.implementation !== undefined;
    const at = {
      chain_id: chainId,
      address: parsed.value,
      block: String(block),
      proxy_type: proxy?.type ?? "",
      implementation: proxy?.implementation ?? "",
      code_of: isBehind ? proxy.implementation : parsed.value,
    };
    return { at, code: isBehind ? implementationCode : code };
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
