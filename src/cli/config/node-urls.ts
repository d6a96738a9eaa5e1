import { z } from "zod";
import { nodeUrl } from "../../adapters/http/connection/node-url.ts";
import type { RpcUrls } from "../../adapters/viem/open-evm-nodes.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { NodesConfig } from "./config.ts";
import { readSettingFile } from "./setting-file.ts";

/** Chain id or alias to a URL, or to several URLs in the order of preference. */
const Urls = z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1).max(16)]));

type Of<K extends string> = Pick<NodesConfig, Extract<keyof NodesConfig, K>>;

/**
 * Checked URLs from SOLANA_RPC_URL_FILE (one a line) or SOLANA_RPC_URL, in the order of preference. @throws
 * {ConfigInvalidError}
 */
export async function solanaUrlsOf(
  config: Of<"SOLANA_RPC_URL" | "SOLANA_RPC_URL_FILE" | "SOLANA_RPC_ALLOW_HTTP">,
): Promise<readonly Secret[]> {
  const { SOLANA_RPC_URL: urls, SOLANA_RPC_URL_FILE: file, SOLANA_RPC_ALLOW_HTTP: allowHttp } = config;
  const texts = file === undefined ? urls : linesOf(await readSettingFile("SOLANA_RPC_URL_FILE", file));
  if (file !== undefined && texts.length === 0) {
    throw new ConfigInvalidError(`SOLANA_RPC_URL_FILE: ${file} holds no URL: put one on each line`);
  }
  return texts.map((text) => nodeUrl("SOLANA_RPC_URL", text, { allowHttp }));
}

/** Checked URLs of TRON_RPC_URL, in the order of preference. @throws {ConfigInvalidError} */
export function tronUrlsOf({
  TRON_RPC_URL: urls,
  TRON_RPC_ALLOW_HTTP: allowHttp,
}: Of<"TRON_RPC_URL" | "TRON_RPC_ALLOW_HTTP">): readonly Secret[] {
  return urls.map((text) => nodeUrl("TRON_RPC_URL", text, { allowHttp }));
}

/**
 * Checked URLs by canonical chain id, from EVM_RPC_URLS_FILE or EVM_RPC_URLS.
 *
 * @throws {ConfigInvalidError} naming the chain, never a URL: it may hold a key.
 */
export async function evmUrlsOf(
  config: Of<"EVM_RPC_URLS" | "EVM_RPC_URLS_FILE" | "EVM_RPC_ALLOW_HTTP">,
): Promise<RpcUrls> {
  const { EVM_RPC_URLS_FILE: file, EVM_RPC_ALLOW_HTTP: allowHttp } = config;
  const text = file === undefined ? config.EVM_RPC_URLS : await readSettingFile("EVM_RPC_URLS_FILE", file);
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

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message would quote the text, and a URL in it.
    return undefined;
  }
}
