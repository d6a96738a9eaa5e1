import { lookup } from "node:dns";
import { BottleneckSlots } from "../adapters/bottleneck/bottleneck-slots.ts";
import { ServiceClient } from "../adapters/http/service-client.ts";
import type { RouteName } from "../contract/routes.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { minTimeMs } from "../worker/pace/quota.ts";
import type { KeySource } from "../worker/ports.ts";
import type { ScreeningConfig } from "./config.ts";

/** What asks the service, and how fast. `onAnswer` is told the HTTP status of each answer. */
export function openService(
  { baseUrl, key }: { readonly baseUrl: string; readonly key: KeySource },
  config: ScreeningConfig,
  opened: Lifecycle,
  onAnswer: (status: number, operation: RouteName, ms: number) => void,
): { readonly client: ServiceClient; readonly slots: BottleneckSlots } {
  const { SERVICE_CONCURRENCY: concurrency, SERVICE_QUOTA: quota } = config;
  const client = new ServiceClient({
    baseUrl,
    apiKey: () => key.current(),
    clock: systemClock,
    lookup,
    concurrency,
    timeoutMs: config.SERVICE_TIMEOUT_MS,
    onAnswer,
  });
  opened.onClose("service client", () => client.close());
  const slots = new BottleneckSlots({
    minTimeMs: quota === undefined ? 0 : minTimeMs(quota),
    maxConcurrent: concurrency,
    clock: systemClock,
  });
  return { client, slots };
}
