import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { nodeUrl } from "../adapters/http/node-url.ts";
import { openSourceRegister, registerUrl } from "../adapters/http/source-register.ts";
import type { RpcUrls } from "../adapters/viem/open-evm-nodes.ts";
import { findChain } from "../chains/registry.ts";
import { ConfigInvalidError, toError } from "../kernel/errors.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import type { Secret } from "../kernel/secret.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { EvmBackend } from "../service/address-classify/classify.ts";
import type { EvmConfig } from "./config.ts";
import { readKeys } from "./keys.ts";

/** Chain id or alias to a URL, or to several in the order in which they are preferred. */
const Urls = z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1).max(16)]));

/**
 * What asks EVM chains: the nodes of EVM_RPC_URLS, or nothing where none is named.
 *
 * @throws {ConfigInvalidError} naming the chain, never a URL: it may hold a key.
 */
export async function openEvm(config: EvmConfig, opened: Lifecycle, log: Log): Promise<EvmBackend | undefined> {
  const urls = await rpcUrlsOf(config);
  if (urls.size === 0) return undefined;
  // viem's chains take half a second to load: only who has a node waits for them.
  const { openEvmNodes } = await import("../adapters/viem/open-evm-nodes.ts");
  const { EVM_RPC_CONCURRENCY: concurrency, EVM_RPC_TIMEOUT_MS: timeoutMs, EVM_RPC_QUOTA: quota } = config;
  const nodes = openEvmNodes(urls, {
    clock: systemClock,
    log,
    lookup,
    concurrency,
    timeoutMs,
    ...(quota === undefined ? {} : { quota }),
  });
  opened.onClose("evm nodes", () => nodes.close());
  log.info("evm nodes", { chains: urls.size, endpoints: [...urls.values()].flat().length });
  const verifier = await openVerifier(config, opened, log);
  return { nodes, clock: systemClock, ...(verifier === undefined ? {} : { verifier }) };
}

/** Checked URLs by canonical chain id, from EVM_RPC_URLS_FILE or EVM_RPC_URLS. @throws {ConfigInvalidError} */
export async function rpcUrlsOf(config: EvmConfig): Promise<RpcUrls> {
  const { EVM_RPC_URLS_FILE: file, EVM_RPC_ALLOW_HTTP: allowHttp } = config;
  const text = file === undefined ? config.EVM_RPC_URLS : await readUrlsFile(file);
  const name = file === undefined ? "EVM_RPC_URLS" : "EVM_RPC_URLS_FILE";
  const parsed = Urls.safeParse(jsonOf(text ?? "{}"));
  if (!parsed.success) {
    throw new ConfigInvalidError(
      `${name} must be JSON of chain ids with a URL or a list of URLs: {"1": "https://..."}`,
    );
  }
  const urls = new Map<string, readonly Secret[]>();
  for (const [key, value] of Object.entries(parsed.data)) {
    const chain = findChain(key);
    const id = chain === undefined ? key : chain.id;
    if (!/^[1-9]\d{0,19}$/.test(id)) throw new ConfigInvalidError(`${name} names ${key}, which is no EVM chain`);
    if (urls.has(id)) throw new ConfigInvalidError(`${name} names chain ${id} twice`);
    urls.set(
      id,
      [value].flat().map((url) => nodeUrl("EVM_RPC_URLS", url, { allowHttp })),
    );
  }
  return urls;
}

async function openVerifier(config: EvmConfig, opened: Lifecycle, log: Log) {
  const { EVM_VERIFIER_URL: url, EVM_VERIFIER: kind, EVM_RPC_TIMEOUT_MS: timeoutMs } = config;
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

async function readUrlsFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`EVM_RPC_URLS_FILE: cannot read ${file}: ${toError(thrown).message}`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message would quote the text, and a URL in it.
    return undefined;
  }
}
