import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { openThreadAnalyser } from "../../adapters/evmole/thread-analyser.ts";
import { openTokenIndex, tokenIndexUrl } from "../../adapters/http/token-index.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import type { EvmBackend } from "../../service/address-classify/classify.ts";
import type { TokenBackend } from "../../service/token-security/analyse-token.ts";
import type { AnalysisStore } from "../../service/token-security/analyses.ts";
import type { CodeAnalyser } from "../../service/token-security/gather.ts";
import type { Markets } from "../../service/token-security/trade-simulation/market.ts";
import type { EvmConfig } from "../config/config.ts";
import { bundled } from "../program/package-root.ts";

/** Longest time to read one contract and execute it in the embedded machine, milliseconds. */
const READING_MS = 1_500;
/** Memory of the reading thread. A contract at its limits needs a third of it. */
const MEMORY_MIB = 384;
/** Loading takes about a second on a busy machine. */
const START_MS = 10_000;

const Address = z.string().transform((text, context) => {
  const parsed = parseAddress("evm", text);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.detail });
  return parsed.ok ? parsed.value : z.NEVER;
});
const MarketsFile = z.strictObject({
  about: z.string().optional(),
  markets: z.record(
    z.string(),
    z.strictObject({
      wrapped: Address,
      stables: z.array(Address).max(8),
      factories: z.array(Address).max(8).default([]),
      routers: z.array(Address).max(4).default([]),
      v3: z
        .array(
          z.strictObject({ factory: Address, fees: z.array(z.number().int().min(0).max(1_000_000)).min(1).max(8) }),
        )
        .max(4)
        .default([]),
    }),
  ),
});

/**
 * Opens the analyser of tokens over the nodes of `evm`. @throws {ConfigInvalidError} for an invalid file of markets.
 */
export async function openTokens(
  evm: EvmBackend,
  config: EvmConfig,
  opened: Lifecycle,
  log: Log,
): Promise<TokenBackend> {
  const markets = await readMarkets(bundled.evmMarkets);
  const own = config.EVM_MARKETS_FILE === undefined ? [] : await readMarkets(config.EVM_MARKETS_FILE);
  const byChain = new Map([...markets, ...own]);
  const analyser = openReader(opened);
  const index = openIndex(config, opened, log);
  // The store closes before the analyser: an aborted analysis leaves its question open.
  const store = await openStore(config, opened);
  return {
    ...evm,
    ...(store === undefined ? {} : { store }),
    ...(index === undefined ? {} : { index }),
    log,
    random: Math.random,
    analyser,
    marketsOf: (chainId) => byChain.get(chainId),
  };
}

function openIndex({ EVM_TOKEN_INDEX_URL: url, EVM_RPC_TIMEOUT: timeoutMs }: EvmConfig, opened: Lifecycle, log: Log) {
  if (url === undefined) return undefined;
  const index = openTokenIndex({ baseUrl: tokenIndexUrl(url), log, lookup, timeoutMs });
  opened.onClose("index of tokens", () => index.close());
  return index;
}

async function openStore({ TOKEN_STORE_FILE: file }: EvmConfig, opened: Lifecycle): Promise<AnalysisStore | undefined> {
  if (file === undefined) return undefined;
  const { openTokenStore } = await import("../../adapters/sqlite/token-store.ts");
  const store = openTokenStore(file);
  opened.onClose("token store", () => store.close());
  return store;
}

/**
 * Reads one contract after the other in a separate thread. The thread loads at once, so that no analysis waits for it.
 */
function openReader(opened: Lifecycle): CodeAnalyser {
  const limits = { timeoutMs: READING_MS, memoryMiB: MEMORY_MIB, startMs: START_MS, execute: true };
  const thread = openThreadAnalyser(limits);
  opened.onClose("reader of contracts", () => thread.close());
  let last: Promise<unknown> = thread.analyse(new Uint8Array());
  return {
    analyse(code) {
      const answer = last.then(() => thread.analyse(code));
      last = answer;
      return answer.then((read) => ("analysis" in read ? read.analysis : undefined));
    },
  };
}

/** The markets of tokens, by canonical chain id. @throws {ConfigInvalidError} */
export async function readMarkets(file: string): Promise<readonly (readonly [string, Markets])[]> {
  let text: unknown;
  try {
    text = JSON.parse(await readFile(file, "utf8"));
  } catch (thrown) {
    throw new ConfigInvalidError(`EVM_MARKETS_FILE: cannot read ${file}: ${toError(thrown).message}`);
  }
  const parsed = MarketsFile.safeParse(text, { error: plainWords });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigInvalidError(`EVM_MARKETS_FILE: ${file}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  return Object.entries(parsed.data.markets).map(
    ([chain, markets]) => [findChain(chain)?.id ?? chain, markets] as const,
  );
}
