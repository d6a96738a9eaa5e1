import { lookup } from "node:dns";
import { BottleneckSlots } from "../../adapters/bottleneck/bottleneck-slots.ts";
import type { Connection } from "../../adapters/http/client/json-server.ts";
import { ServiceClient } from "../../adapters/http/service/service-client.ts";
import type { AdapterTranslation } from "../../adapters/service-adapter/translation.ts";
import type { RouteName } from "../../api/routes.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import { scaledService } from "../../worker/answers/service-scales.ts";
import type { KeySource, SecurityService } from "../../worker/ports.ts";
import type { ScreeningConfig } from "../config/config.ts";
import { type OpenedDialect, scalesOf } from "../service-connection/open-dialect.ts";
import { unreadWaits } from "../service-connection/unread-waits.ts";

/**
 * Part of a gap that a late permit does not cost the next permit (`NextSlot`). A pace of Q - 1 in a window leaves one
 * gap, and requests that arrive unevenly need the other half. A learned pace leaves 1.5 % of the quota. Chosen by both.
 */
export const GIVEN_CATCH_UP = 0.5;
export const LEARNED_CATCH_UP = 1;

/** The URL of the service, and the connection to it. */
export interface ReachedService {
  readonly baseUrl: string;
  readonly key: KeySource;
  readonly connection: Connection;
  readonly dialect: OpenedDialect;
  /** The translation for a service with another interface. */
  readonly translation: AdapterTranslation | undefined;
}

/**
 * Opens the client of the service with its pacing: `minTimeMs` apart until the permits get another pace. `onAnswer`
 * receives the HTTP status of each answer.
 */
export function openService(
  {
    baseUrl,
    key,
    minTimeMs,
    connection,
    dialect: opening,
    translation,
  }: ReachedService & { readonly minTimeMs: number },
  config: ScreeningConfig,
  opened: Lifecycle,
  onAnswer: (status: number, operation: RouteName, ms: number) => void,
  log: Pick<Log, "warn">,
): { readonly client: ServiceClient; readonly service: SecurityService; readonly slots: BottleneckSlots } {
  const { SERVICE_CONCURRENCY: concurrency, SERVICE_QUOTA: quota } = config;
  const client = new ServiceClient({
    baseUrl,
    apiKey: () => key.current(),
    clock: systemClock,
    lookup,
    concurrency,
    timeoutMs: config.SERVICE_TIMEOUT_MS,
    onAnswer,
    onUnreadWait: unreadWaits(log),
    connection,
    dialect: opening.dialect,
    translation,
  });
  opened.onClose("service client", () => client.close());
  const slots = new BottleneckSlots({
    minTimeMs,
    maxConcurrent: concurrency,
    catchUp: quota === undefined ? LEARNED_CATCH_UP : GIVEN_CATCH_UP,
    clock: systemClock,
  });
  const service = scaledService(client, scalesOf(opening, config), translation !== undefined);
  return { client, service, slots };
}
