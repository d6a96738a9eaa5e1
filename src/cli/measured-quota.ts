import { serviceUrl } from "../adapters/http/service-url.ts";
import type { Check } from "../adapters/kafka/check.ts";
import { Lifecycle } from "../kernel/lifecycle.ts";
import { quietLog } from "../kernel/log.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { Gate } from "../worker/pace/gate.ts";
import { type MeasuredQuota, measureQuota } from "../worker/pace/measure-quota.ts";
import { RateLearner } from "../worker/pace/rate-learner.ts";
import { QUESTION } from "./check-service.ts";
import type { ScreenConfig } from "./config.ts";
import { openKey } from "./keys.ts";
import { openService } from "./open-service.ts";

const CLOSE_DEADLINE_MS = 3_000;
const check = "quota";

/** Uses the key's quota up and says what it is. @throws {AppError} when the service does not answer. */
export async function runMeasurement(
  config: ScreenConfig & { readonly SERVICE_URL: string },
  maxRequests: number,
  signal: AbortSignal,
): Promise<MeasuredQuota> {
  const baseUrl = serviceUrl(config.SERVICE_URL, { allowHttp: config.SERVICE_ALLOW_HTTP });
  const key = await openKey({
    file: config.SERVICE_API_KEY_FILE,
    values: config.SERVICE_API_KEY === undefined ? undefined : [config.SERVICE_API_KEY],
    names: { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" },
  });
  const opened = new Lifecycle();
  // What was given is what is doubted.
  const { client, slots } = openService({ baseUrl, key }, { ...config, SERVICE_QUOTA: undefined }, opened, () => {});
  const learner = new RateLearner(Math.random);
  const [clock, random] = [systemClock, Math.random];
  const reloadKey = () => key.reload();
  const patienceMs = config.SERVICE_PATIENCE;
  const weightOf = () => 1;
  const gate = new Gate({
    slots,
    learner,
    headroom: undefined,
    weightOf,
    clock,
    random,
    log: quietLog,
    reloadKey,
    patienceMs,
    keyIsFixed: true,
  });
  signal.addEventListener("abort", () => gate.abandon(signal.reason), { once: true });
  try {
    const ask = () => client.ask("poisoningQuery", QUESTION, signal);
    return await measureQuota({ gate, learner, ask, concurrency: config.SERVICE_CONCURRENCY, maxRequests, clock });
  } finally {
    await slots.close(new Error("the measurement is over"));
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

/** What a measurement found, and what to make of it. */
export function measuredCheck({ learned, requests, refused, tookMs }: MeasuredQuota): Check {
  const seconds = Math.max(1, Math.round(tookMs / 1_000));
  const how = `${requests} requests in ${seconds} s, ${refused} of them refused`;
  if (learned !== undefined) {
    const perSecond = Number(learned.perSecond.toPrecision(3));
    const remedy = "SERVICE_QUOTA need not be set: a worker learns the same";
    return { check, ok: true, detail: `measured: ${perSecond} requests a second may be sent (${how})`, remedy };
  }
  if (refused === 0) return { check, ok: true, detail: `none was met: ${how}`, remedy: "" };
  const remedy = "allow more requests, as --quota 10000, or ask the service's operator";
  return { check, ok: "warn", detail: `not found out: ${how}`, remedy };
}
