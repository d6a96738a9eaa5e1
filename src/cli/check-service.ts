import { lookup } from "node:dns";
import { ServiceClient } from "../adapters/http/service-client.ts";
import { serviceUrl } from "../adapters/http/service-url.ts";
import type { Check } from "../adapters/kafka/check.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { HARMLESS_QUESTION } from "../worker/harmless-question.ts";
import type { ServiceClientConfig } from "./config.ts";
import { openKey } from "./keys.ts";

const check = "service";

/**
 * Asks the service at SERVICE_URL one question with the key, and compares the clocks by its answer. Without a URL there is
 * nothing to ask.
 */
export async function checkService(config: ServiceClientConfig, signal: AbortSignal): Promise<readonly Check[]> {
  const { SERVICE_URL: url } = config;
  if (url === undefined) return [{ check, ok: true, detail: "skipped: SERVICE_URL is not set", remedy: "" }];
  const clocks: Check[] = [];
  const asked = await ask(url, config, signal, (date) => clocks.push(compareClocks(systemClock.now() - date)));
  return [asked, ...clocks];
}

/** Headers say whole seconds, and an answer travels. Chosen: a deadline of 30 s is still kept well enough. */
const MAX_SKEW_MS = 5_000;

/** @param aheadMs how far this machine's clock is ahead of the service's. */
export function compareClocks(aheadMs: number): Check {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const off =
    seconds === 0 ? "agrees with the service's" : `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return { check: "clock", ok: true, detail: off, remedy: "" };
  const remedy = "see to the time service of both machines: deadlines, tickets and S3 signatures go by the clock";
  return { check: "clock", ok: "warn", detail: off, remedy };
}

async function ask(
  url: string,
  config: ServiceClientConfig,
  signal: AbortSignal,
  onDate: (date: number) => void,
): Promise<Check> {
  const { SERVICE_ALLOW_HTTP, SERVICE_TIMEOUT_MS } = config;
  try {
    const baseUrl = serviceUrl(url, { allowHttp: SERVICE_ALLOW_HTTP });
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
      onDate,
    });
    try {
      await client.ask("poisoningQuery", HARMLESS_QUESTION, signal);
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
