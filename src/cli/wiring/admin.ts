import { AdminServer } from "../../adapters/admin/admin-server.ts";
import { logLevels } from "../../adapters/logging/log-levels.ts";
import type { AdjustableLog } from "../../adapters/logging/pino-log.ts";
import type { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";

/** The health of a running process. */
export interface Health {
  /** The reasons to restart the process. */
  readonly live: () => readonly string[];
  /** The reasons to send no work to the process now. */
  readonly ready: () => readonly string[];
}

/** Serves /livez, /readyz and /metrics. @throws when the port is taken. */
export async function openAdmin(
  { ADMIN_HOST: host, ADMIN_PORT: port }: { readonly ADMIN_HOST: string; readonly ADMIN_PORT: number },
  health: Health,
  metrics: MetricSet,
  log: AdjustableLog,
  opened: Lifecycle,
): Promise<void> {
  const { registry } = metrics;
  const server = new AdminServer({
    host,
    port,
    ...health,
    metrics: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    setLevel: (level) => log.setLevel(level),
    levels: logLevels,
  });
  const url = await server.start();
  opened.onClose("admin server", () => server.stop());
  log.info("the admin server listens for health and metrics", { url });
}
