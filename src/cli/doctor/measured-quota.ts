import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import { askHarmless } from "../../worker/checks/ask-harmless.ts";
import { Gate } from "../../worker/rate-limit/gate/gate.ts";
import { type MeasuredQuota, QuotaMeasurement } from "../../worker/rate-limit/gate/quota-measurement.ts";
import { tellLoad } from "../../worker/rate-limit/gate/refusals/tell-load.ts";
import { RateLearner } from "../../worker/rate-limit/learner/rate-learner.ts";
import type { Environment, ScreenConfig } from "../config/config.ts";
import { reachNamedService } from "../service-connection/service-connection.ts";
import { openService } from "../wiring/open-service.ts";

const CLOSE_DEADLINE_MS = 3_000;

export interface MeasurementBounds {
  readonly maxRequests: number;
  readonly maxMs: number;
}

/**
 * Exhausts the key's quota and reports its size.
 *
 * @param watch receives a function that returns the progress; it returns a function that ends its watch.
 * @throws {AppError} when the service does not answer.
 */
export async function runMeasurement(
  config: ScreenConfig & { readonly SERVICE_URL: string },
  env: Environment,
  { maxRequests, maxMs }: MeasurementBounds,
  watch: (soFar: () => MeasuredQuota) => () => void,
  signal: AbortSignal,
): Promise<MeasuredQuota> {
  const baseUrl = serviceUrl(config.SERVICE_URL, { allowHttp: config.SERVICE_ALLOW_HTTP });
  const reached = await reachNamedService(baseUrl, config, env);
  const { key } = reached;
  const opened = new Lifecycle();
  // The configured quota is ignored, since the measurement tests it.
  const { client, slots } = openService(
    { ...reached, minTimeMs: 0 },
    { ...config, SERVICE_QUOTA: undefined },
    opened,
    () => {},
    quietLog,
  );
  const learner = new RateLearner(Math.random);
  const [clock, random] = [systemClock, Math.random];
  const reloadKey = () => key.reload();
  const patienceMs = config.SERVICE_PATIENCE;
  const weightOf = () => 1;
  const concurrency = config.SERVICE_CONCURRENCY;
  const gate = new Gate({
    slots,
    concurrency,
    pacer: learner,
    headroom: undefined,
    weightOf,
    clock,
    random,
    log: quietLog,
    onLoadRefused: () => {},
    reloadKey,
    // The measurement sends no other request in any case.
    knock: undefined,
    patienceMs,
    maxWaitMs: config.SERVICE_MAX_WAIT,
    keyIsFixed: true,
  });
  const service = tellLoad(client, clock);
  const ask = (over: AbortSignal) => askHarmless(service, over);
  const measurement = new QuotaMeasurement({ gate, learner, ask, concurrency, maxRequests, maxMs, clock });
  const unwatch = watch(() => measurement.soFar);
  try {
    return await measurement.run(signal);
  } finally {
    unwatch();
    await slots.close(new Error("the measurement is over"));
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
