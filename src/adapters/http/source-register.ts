import PQueue from "p-queue";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { Verification, Verifier } from "../../service/evm/verifier.ts";
import { JsonServer } from "./client/json-server.ts";
import type { Lookup } from "./connection/checked-lookup.ts";
import { checkedUrl } from "./connection/checked-url.ts";

/** The interface of a register. `sourcify`: its API v2. `etherscan`: its API v2, which many explorers also have. */
export type RegisterKind = "sourcify" | "etherscan";

export interface SourceRegisterOptions {
  readonly kind: RegisterKind;
  /** The URL, checked by `registerUrl`. */
  readonly baseUrl: string;
  readonly apiKey: Secret | undefined;
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
  readonly lookup: Lookup;
  readonly timeoutMs: number;
}

/** Requests in flight at once. Registers of sources are public, and they refuse more parallel requests. Chosen. */
const CONCURRENCY = 4;
/**
 * How long answers are cached, milliseconds. A verified contract stays verified; an unverified one may be verified
 * tomorrow. Chosen.
 */
const keptMs = { verified: 86_400_000, unverified: 300_000 } as const;
const MAX_KEPT = 10_000;

/** The base URL of a register. @throws {ConfigInvalidError} which never holds the URL. */
export function registerUrl(text: string): string {
  return checkedUrl(text, {
    setting: "EVM_VERIFIER_URL",
    credentials: "set EVM_VERIFIER_API_KEY",
    whole: "give what stands before /v2/contract of Sourcify, or before the query of Etherscan",
    http: { allowed: false, danger: "change the answers", instead: "use https" },
  });
}

/**
 * Queries a register of verified sources. An answer that does not follow its interface counts as `unknown`, and is
 * logged.
 */
export function openSourceRegister(options: SourceRegisterOptions): Verifier & { readonly close: () => Promise<void> } {
  const { kind, baseUrl, apiKey, clock, log, lookup, timeoutMs } = options;
  const queue = new PQueue({ concurrency: CONCURRENCY });
  const server = new JsonServer({ setting: "EVM_VERIFIER_URL", connections: CONCURRENCY, lookup, timeoutMs });
  const known = new Map<string, { readonly answer: "verified" | "unverified"; readonly until: number }>();
  const { urlOf, read } = kinds[kind];

  const ask = (chainId: string, address: string, signal: AbortSignal) =>
    server.exchange({ url: urlOf(baseUrl, chainId, address, apiKey?.reveal()) }, signal, async ({ status, json }) =>
      read(status, Object(await json()), address),
    );

  return {
    async verificationOf(chainId, address, signal) {
      const key = `${chainId} ${address}`;
      const kept = known.get(key);
      if (kept !== undefined && clock.ticks() < kept.until) return kept.answer;
      try {
        const answer = await queue.add(() => ask(chainId, address, signal));
        if (answer === "unknown")
          log.warn("the register of verified sources gives no usable answer", { chain: chainId });
        else {
          known.delete(key);
          known.set(key, { answer, until: clock.ticks() + keptMs[answer] });
          const [oldest] = known.keys();
          if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
        }
        return answer;
      } catch (thrown) {
        signal.throwIfAborted();
        log.warn("the register of verified sources does not answer", {
          chain: chainId,
          reason: toError(thrown).message,
        });
        return "unknown";
      }
    },
    close: () => server.close(),
  };
}

interface Register {
  readonly urlOf: (baseUrl: string, chainId: string, address: string, key: string | undefined) => string;
  readonly read: (status: number, body: Readonly<Record<string, unknown>>, address: string) => Verification;
}

const kinds: Readonly<Record<RegisterKind, Register>> = {
  sourcify: {
    urlOf: (baseUrl, chainId, address) => `${baseUrl}/v2/contract/${chainId}/${address}`,
    read(status, body, address) {
      if (String(body["address"]).toLowerCase() !== address) return "unknown";
      if (status === 404 && body["match"] === null) return "unverified";
      return status === 200 && (body["match"] === "exact_match" || body["match"] === "match") ? "verified" : "unknown";
    },
  },
  etherscan: {
    urlOf(baseUrl, chainId, address, key) {
      const query = new URLSearchParams({ chainid: chainId, module: "contract", action: "getabi", address });
      if (key !== undefined) query.set("apikey", key);
      return `${baseUrl}?${query}`;
    },
    read(status, { status: code, result }) {
      if (status !== 200 || typeof result !== "string") return "unknown";
      if (code === "1" && result.startsWith("[")) return "verified";
      return code === "0" && result === "Contract source code not verified" ? "unverified" : "unknown";
    },
  },
};
