import PQueue from "p-queue";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { TokenIndex, TokenRecord } from "../../service/token-security/token-index.ts";
import { JsonServer } from "./client/json-server.ts";
import type { Lookup } from "./connection/checked-lookup.ts";
import { checkedUrl } from "./connection/checked-url.ts";

export interface TokenIndexOptions {
  /** The URL, checked by `tokenIndexUrl`. */
  readonly baseUrl: string;
  readonly log: Log;
  readonly lookup: Lookup;
  readonly timeoutMs: number;
}

const CONCURRENCY = 4;
/** Most holders of a token: no token has more holders than there are people. A larger number is not believed. */
const MOST_HOLDERS = 1e10;
const PERCENT = 100;
/** Seconds; dates after the year 2200 are milliseconds by mistake. */
const LATEST_SEC = 7_258_118_400;

/** The base URL of an index. @throws {ConfigInvalidError} which never holds the URL. */
export function tokenIndexUrl(text: string): string {
  return checkedUrl(text, {
    setting: "EVM_TOKEN_INDEX_URL",
    credentials: "put what adds them in front of the index",
    whole: "give what stands before /<chain id>/<address>",
    http: { allowed: false, danger: "change the answers", instead: "use https" },
  });
}

/**
 * Requests GET <base>/<chain id>/<address>, lower case. The answer is an object of `holders_count`,
 * `top1_eoa_concentration`, `top5_eoa_concentration` (percent of the supply) and `deployed_at` (Unix seconds). Each
 * number may be missing. A 404 means that nothing is known. Any other answer counts as unknown, and is logged.
 */
export function openTokenIndex({ baseUrl, log, lookup, timeoutMs }: TokenIndexOptions): TokenIndex & {
  readonly close: () => Promise<void>;
} {
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const server = new JsonServer({ setting: "EVM_TOKEN_INDEX_URL", connections: CONCURRENCY, lookup, timeoutMs });
  const ask = (chainId: string, address: string, signal: AbortSignal) =>
    server.exchange({ url: `${baseUrl}/${chainId}/${address}` }, signal, async ({ status, json }) => {
      if (status === 404) return {};
      if (status !== 200) throw new Error(`answered ${status}`);
      return recordIn(Object(await json()));
    });
  return {
    async recordOf(chainId, address, signal) {
      try {
        return await queue.add(() => ask(chainId, address, signal), { signal });
      } catch (thrown) {
        signal.throwIfAborted();
        log.warn("the token index does not answer", { chain: chainId, reason: toError(thrown).message });
        return {};
      }
    },
    close: () => server.close(),
  };
}

function recordIn(body: Readonly<Record<string, unknown>>): TokenRecord {
  const number = (name: string, most: number, isWhole: boolean) => {
    const value = body[name];
    const isOne = typeof value === "number" && value >= 0 && value <= most && (!isWhole || Number.isInteger(value));
    return isOne ? value : undefined;
  };
  const given = {
    holders: number("holders_count", MOST_HOLDERS, true),
    top1Percent: number("top1_eoa_concentration", PERCENT, false),
    top5Percent: number("top5_eoa_concentration", PERCENT, false),
    deployedAtSec: number("deployed_at", LATEST_SEC, true),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
