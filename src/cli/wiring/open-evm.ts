import { lookup } from "node:dns";
import { openSourceRegister, registerUrl } from "../../adapters/http/source-register.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import type { EvmBackend } from "../../service/address-classify/classify.ts";
import type { EvmConfig } from "../config/config.ts";
import { readKeys } from "../config/keys.ts";
import { evmUrlsOf } from "../config/node-urls.ts";

/**
 * Opens the nodes of EVM_RPC_URLS. Undefined where no node is configured.
 *
 * @throws {ConfigInvalidError} naming the chain, never a URL: it may hold a key.
 */
export async function openEvm(config: EvmConfig, opened: Lifecycle, log: Log): Promise<EvmBackend | undefined> {
  const urls = await evmUrlsOf(config);
  if (urls.size === 0) return undefined;
  // Loaded on demand: viem's chains take half a second to load.
  const { openEvmNodes } = await import("../../adapters/viem/open-evm-nodes.ts");
  const { EVM_RPC_CONCURRENCY: concurrency, EVM_RPC_TIMEOUT: timeoutMs, EVM_RPC_QUOTA: quota } = config;
  const nodes = openEvmNodes(urls, {
    clock: systemClock,
    log,
    lookup,
    concurrency,
    timeoutMs,
    ...(quota === undefined ? {} : { quota }),
  });
  opened.onClose("EVM chains are read from these nodes", () => nodes.close());
  log.info("EVM chains are read from these nodes", { chains: urls.size, endpoints: [...urls.values()].flat().length });
  const verifier = await openVerifier(config, opened, log);
  return { nodes, clock: systemClock, ...(verifier === undefined ? {} : { verifier }) };
}

async function openVerifier(config: EvmConfig, opened: Lifecycle, log: Log) {
  const { EVM_VERIFIER_URL: url, EVM_VERIFIER: kind, EVM_RPC_TIMEOUT: timeoutMs } = config;
  if (url === undefined) return undefined;
  const { EVM_VERIFIER_API_KEY: key, EVM_VERIFIER_API_KEY_FILE: file } = config;
  const isKeyed = key !== undefined || file !== undefined;
  const names = { file: "EVM_VERIFIER_API_KEY_FILE", values: "EVM_VERIFIER_API_KEY" };
  const [apiKey] = isKeyed ? await readKeys({ file, values: key === undefined ? undefined : [key], names }) : [];
  const baseUrl = registerUrl(url);
  const register = openSourceRegister({ kind, baseUrl, apiKey, clock: systemClock, log, lookup, timeoutMs });
  opened.onClose("register of sources", () => register.close());
  return register;
}
