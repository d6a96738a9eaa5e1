import { lookup } from "node:dns";
import { ServiceClient } from "../adapters/http/service-client.ts";
import { serviceUrl } from "../adapters/http/service-url.ts";
import type { Check } from "../adapters/kafka/check.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { ServiceClientConfig } from "./config.ts";
import { openKey } from "./keys.ts";

/** Asked about by nobody, and costs one request of the key's quota. */
const QUESTION = { chain_id: "1", address: "0x000000000000000000000000000000000000dEaD" };
const check = "service";

/** Asks the service at SERVICE_URL one question with the key. Without a URL there is nothing to ask. */
export async function checkService(config: ServiceClientConfig, signal: AbortSignal): Promise<Check> {
  const { SERVICE_URL, SERVICE_ALLOW_HTTP, SERVICE_TIMEOUT_MS } = config;
  if (SERVICE_URL === undefined) return { check, ok: true, detail: "skipped: SERVICE_URL is not set", remedy: "" };
  try {
    const baseUrl = serviceUrl(SERVICE_URL, { allowHttp: SERVICE_ALLOW_HTTP });
    const key = await openKey({
      file: config.SERVICE_API_KEY_FILE,
      values: config.SERVICE_API_KEY === undefined ? undefined : [config.SERVICE_API_KEY],
      names: { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" },
    });
    const client = new ServiceClient({
      baseUrl,
      apiKey: () => key.current(),
      clock: systemClock,
      lookup,
      concurrency: 1,
      timeoutMs: SERVICE_TIMEOUT_MS,
      onAnswer: () => {},
    });
    try {
      await client.ask("poisoningQuery", QUESTION, signal);
    } finally {
      await client.close();
    }
    return { check, ok: true, detail: "takes the key and answers a question", remedy: "" };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A service that asks for a pause is there, and knows the key.
    if (thrown.code === "RATE_LIMITED")
      return { check, ok: "warn", detail: thrown.message, remedy: "set SERVICE_QUOTA" };
    return { check, ok: false, detail: thrown.message, remedy: remedies[thrown.code] ?? "" };
  }
}

/** The messages of a wrong configuration say themselves what to do. */
const remedies: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: "check SERVICE_API_KEY or SERVICE_API_KEY_FILE",
  UNAVAILABLE: "see that the service runs and that SERVICE_URL is its base",
  REJECTED: "compare the service with openapi.json",
  CHAIN_UNSUPPORTED: "see that the service knows Ethereum",
};
