import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { watchLabelFiles } from "../../adapters/files/labels/watch-label-files.ts";
import { pinoLog } from "../../adapters/logging/pino-log.ts";
import { showRefusal } from "../../adapters/prometheus/list-metrics.ts";
import { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import { ServiceMetrics } from "../../adapters/prometheus/service-metrics.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { LabelStore } from "../../labels/label-store.ts";
import { buildServer } from "../../service/http/server.ts";
import { LabelBook } from "../../service/labels/label-book.ts";
import { operationsOver } from "../../service/operations.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { quotaText } from "../config/env/quota-field.ts";
import { ServeEnv } from "../config/env/serve-env.ts";
import { readKeys } from "../config/keys.ts";
import { servedLabelFiles } from "../config/label-paths.ts";
import { type Health, openAdmin } from "../wiring/admin.ts";
import { openEvm } from "../wiring/open-evm.ts";
import { openTron } from "../wiring/open-tron.ts";
import { openSolana } from "./open-solana.ts";
import { openTokens } from "./open-tokens.ts";

const CLOSE_DEADLINE_MS = 5_000;
/** The service answers before it reports that it listens, and each answer tells a worker the missing backends. */
const health: Health = { live: () => [], ready: () => [] };

/** Runs the security service until `signal` aborts. `onListening` receives its URL. @throws {ConfigInvalidError} */
export async function serve(env: Environment, signal: AbortSignal, onListening: (url: string) => void): Promise<void> {
  const config = readEnv(ServeEnv, env);
  const log = pinoLog(config.LOG_LEVEL);
  const apiKeys = await readKeys({
    file: config.SERVICE_API_KEYS_FILE,
    values: config.SERVICE_API_KEYS,
    names: { file: "SERVICE_API_KEYS_FILE", values: "SERVICE_API_KEYS" },
  });
  const files = servedLabelFiles(config);
  const labels = await LabelStore.open(files, LabelBook.steps, log, () => setImmediate());
  const quota = config.SERVICE_RATE_LIMIT;
  const opened = new Lifecycle();
  const evm = await openEvm(config, opened, log);
  const tokens = evm === undefined ? undefined : await openTokens(evm, config, opened, log);
  const solana = await openSolana(config, opened, log);
  const metrics = new MetricSet();
  metrics.collectProcess();
  showRefusal(metrics, () => labels.isBehind);
  const tron = await openTron(config, opened, log);
  const server = buildServer({
    operations: operationsOver({
      labels: () => labels.book,
      ...(solana === undefined ? {} : { solana }),
      ...(tron === undefined ? {} : { tron }),
      ...(evm === undefined ? {} : { evm }),
      ...(tokens === undefined ? {} : { tokens }),
    }),
    apiKeys,
    clock: systemClock,
    log,
    observer: new ServiceMetrics(metrics),
    ...(quota === undefined ? {} : { quota }),
  });
  opened.onClose("http", () => server.close());
  try {
    const { ADMIN_HOST, ADMIN_PORT } = config;
    if (ADMIN_PORT !== undefined) await openAdmin({ ADMIN_HOST, ADMIN_PORT }, health, metrics, log, opened);
    await server.listen({ host: config.HOST, port: config.PORT }).catch((thrown: unknown) => {
      throw cannotListen(config, toError(thrown));
    });
    const { port } = server.server.address() as AddressInfo;
    const host = config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
    const rateLimit = quota === undefined ? "none" : `${quotaText(quota)} a key`;
    log.info("the service listens", { url: `http://${host}:${port}`, keys: apiKeys.length, rateLimit });
    onListening(`http://${host}:${port}`);
    await watchLabelFiles(files, () => labels.reload(), { clock: systemClock, signal });
  } finally {
    for (const { name, error } of await opened.close(CLOSE_DEADLINE_MS))
      log.error("a part of the service did not close in time", { name, error });
  }
}

const listenRemedies: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process has the port: set PORT to another one, or to 0 for a free one",
  EACCES: "set PORT to 1024 or more",
  EADDRNOTAVAIL: "set HOST to an address of this machine",
  ENOTFOUND: "set HOST to an address of this machine",
};

function cannotListen(
  { HOST, PORT }: { HOST: string; PORT: number },
  error: NodeJS.ErrnoException,
): ConfigInvalidError {
  const remedy = listenRemedies[error.code ?? ""] ?? "set HOST and PORT";
  return new ConfigInvalidError(`cannot listen on ${HOST}:${PORT}: ${error.message}: ${remedy}`);
}
