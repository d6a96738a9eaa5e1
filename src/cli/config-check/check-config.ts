import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import { countText } from "../../kernel/text.ts";
import { archiveLocation } from "../config/archive-location.ts";
import { type ConfigPart, checkParts } from "../config/check-parts.ts";
import { checkVariables } from "../config/check-variables.ts";
import {
  type Environment,
  readEnv,
  type ScreenConfig,
  ScreenEnv,
  type ScreeningConfig,
  ServeEnv,
  type WorkerConfig,
  WorkerEnv,
} from "../config/config.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { checkQuota } from "../doctor/check-quota.ts";
import { embeddedEnvironment } from "../screen/embedded-service.ts";
import { chooseService } from "../screen/screen-service.ts";
import { openSolana } from "../serve/open-solana.ts";
import { readMarkets } from "../serve/open-tokens.ts";
import { openDialect, scalesOf } from "../service-connection/open-dialect.ts";
import { INTERFACE } from "../service-connection/service-client-env.ts";
import { NOWHERE, openServiceKey, openSpoken, serviceConnection } from "../service-connection/service-connection.ts";
import { listLine } from "../terminal/list-line.ts";
import { runBounds, workerBounds } from "../wiring/lane-settings.ts";
import { openEvm } from "../wiring/open-evm.ts";
import { openLists } from "../wiring/open-lists.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { openTron } from "../wiring/open-tron.ts";
import { s3StoreOptions } from "../wiring/s3-store.ts";

/** Commands with a configuration that can be checked. */
export const checkedCommands = ["screen", "worker"] as const;
export type CheckedCommand = (typeof checkedCommands)[number];

const CLOSE_DEADLINE_MS = 3_000;
const EMBEDDED = "is not set: the run starts a service of its own";

/** Checks every variable and file that a command reads at its start, with a line each. It uses no network. */
export async function checkConfig(command: CheckedCommand, env: Environment): Promise<readonly CheckedItem[]> {
  if (command === "worker") {
    const { checks, config, wrong } = checkVariables(WorkerEnv, env);
    // A part that depends on a faulty variable is skipped.
    const parts = await checkParts(workerParts, config as unknown as WorkerConfig, env, wrong);
    return [...checks, ...parts];
  }
  const { checks, config, wrong } = checkVariables(ScreenEnv, env);
  return [...checks, ...(await checkParts(screenParts, config as unknown as ScreenConfig, env, wrong))];
}

const service: ConfigPart<ScreeningConfig> = {
  check: "service",
  reads: ["SERVICE_URL", "SERVICE_ALLOW_HTTP"],
  look: async ({ SERVICE_URL: url, SERVICE_ALLOW_HTTP: allowHttp }) =>
    url === undefined ? EMBEDDED : `${new URL(serviceUrl(url, { allowHttp })).host} is asked`,
};

const shared: readonly ConfigPart<ScreeningConfig>[] = [
  {
    check: "key",
    reads: ["SERVICE_URL", "SERVICE_API_KEY"],
    look: async (config) => {
      if (config.SERVICE_URL === undefined) return "not needed";
      await openServiceKey(config);
      return `read from SERVICE_API_KEY${config.SERVICE_API_KEY_FILE === undefined ? "" : "_FILE"}`;
    },
  },
  {
    check: "proxy and TLS",
    reads: ["SERVICE_URL", "SERVICE_ALLOW_HTTP", "SERVICE_TLS_"],
    look: async (config, env) => {
      const { SERVICE_URL: url, SERVICE_ALLOW_HTTP: allowHttp } = config;
      if (url === undefined) return "not needed";
      const { proxy, ca, identity } = await serviceConnection(serviceUrl(url, { allowHttp }), config, env);
      const trusts = ca === undefined ? "public authorities" : "the authorities of SERVICE_TLS_CA_FILE";
      const shows = identity === undefined ? "no certificate" : "the certificate of SERVICE_TLS_CERT_FILE";
      return `${proxy === undefined ? "no proxy" : "a proxy"}; trusts ${trusts}, shows ${shows}`;
    },
  },
  {
    check: "dialect",
    reads: ["SERVICE_URL", "SERVICE_DIALECT", "SERVICE_LEVELS", "SERVICE_TAXES"],
    look: lookAtDialect,
  },
  {
    check: "adapter",
    reads: ["SERVICE_ADAPTER"],
    look: async (config) => {
      const { SERVICE_ADAPTER: file, SERVICE_URL: url } = config;
      if (file === undefined) return "none";
      await openSpoken(url ?? NOWHERE, config);
      const { loadAdapter } = await import("../service-connection/open-adapter.ts");
      const { name, operations } = await loadAdapter(file, url ?? NOWHERE, "SERVICE_ADAPTER: ");
      return `${file}, ${name}: ${Object.keys(operations).join(", ")}`;
    },
  },
  { check: "quota", reads: ["SERVICE_"], look: async (config) => [await checkQuota(config, undefined)] },
  {
    check: "policy",
    reads: ["POLICY_FILE"],
    look: async ({ POLICY_FILE: file }) => {
      const { sha256 } = await openPolicy(file);
      return `${file ?? "data/policy.json"}, ${sha256}`;
    },
  },
  { check: "lists and labels", reads: ["LISTS_", "LABELS_", "BUNDLED_LABELS"], look: lookAtLists },
];

const screenParts: readonly ConfigPart<ScreenConfig>[] = [
  service,
  ...shared,
  { check: "bounds", reads: ["LANE_"], look: async (config) => fitting(runBounds(config)) },
  { check: "nodes", reads: ["SERVICE_", "SOLANA_", "TRON_", "EVM_", "LABELS_", "LISTS_"], look: lookAtNodes },
  {
    check: "Kafka",
    reads: ["KAFKA_", "SERVICE_"],
    look: async ({ SERVICE_URL: url, SERVICE_QUOTA: quota, KAFKA_BROKERS: brokers }, env) => {
      if (url === undefined || quota === undefined || brokers === undefined)
        return "not used: a run shares a SERVICE_QUOTA where SERVICE_URL and KAFKA_BROKERS are set, too";
      await kafkaSettings(readEnv(KafkaEnv, env));
      return "fits together; SERVICE_QUOTA is shared";
    },
  },
];

const workerParts: readonly ConfigPart<WorkerConfig>[] = [
  {
    ...service,
    look: async (config, env) => {
      if (config.SERVICE_URL !== undefined) return service.look(config, env);
      throw new ConfigInvalidError("SERVICE_URL must name the service of a worker; `weir serve` runs one");
    },
  },
  ...shared,
  { check: "bounds", reads: ["LANE_"], look: async (config) => fitting(workerBounds(config)) },
  {
    check: "Kafka",
    reads: ["KAFKA_", "TOPIC", "RECORD_"],
    look: async (config) => {
      const { topics, groupId } = await kafkaSettings(config);
      return `group ${groupId} reads ${[...topics.realtime, ...topics.backfill].join(", ")}`;
    },
  },
  {
    check: "archive",
    reads: ["S3_", "ARCHIVE_"],
    look: async (config) => {
      const place = archiveLocation(config);
      const { S3_BUCKET } = config;
      if (S3_BUCKET !== undefined) s3StoreOptions({ ...config, S3_BUCKET });
      return place === "here" ? `in ${S3_BUCKET}` : `not by this worker: ARCHIVE_PLACE is ${place}`;
    },
  },
];

async function lookAtDialect(config: ScreeningConfig): Promise<string | readonly CheckedItem[]> {
  const { SERVICE_DIALECT: file } = config;
  const opened = await openDialect(config);
  scalesOf(opened, config);
  if (file === INTERFACE) return "the interface as it is";
  if (config.SERVICE_URL === undefined) {
    const detail = `${file} is sound, and not used: SERVICE_URL is not set`;
    return [{ check: "dialect", ok: "warn", detail, remedy: "set SERVICE_URL, or unset SERVICE_DIALECT" }];
  }
  const { lacks } = opened.reach;
  return `${file}${lacks.size === 0 ? "" : `, which leaves out ${[...lacks].join(", ")}`}`;
}

async function lookAtLists(config: ScreeningConfig): Promise<readonly CheckedItem[]> {
  const { book } = await openLists(config, { clock: systemClock, log: quietLog });
  const files = [...config.LISTS_FILES, ...config.LABELS_FILES].length;
  const read: CheckedItem = {
    check: "lists and labels",
    ok: true,
    detail: `${countText(files, "file")} ${files === 1 ? "is" : "are"} read`,
    remedy: "",
  };
  const lists = book.lists.map((list): CheckedItem => {
    const isWhole = list.refused.length === 0;
    const detail = listLine(list).replace(/^list\s+/, "");
    return { check: "list", ok: isWhole ? true : "warn", detail, remedy: isWhole ? "" : "correct the rows" };
  });
  return [read, ...lists];
}

/** Checks the settings of the run's own service, or the settings that a remote service must not have. */
async function lookAtNodes(config: ScreenConfig, env: Environment): Promise<string> {
  await chooseService(config);
  if (config.SERVICE_URL !== undefined) return "not needed: the service at SERVICE_URL has its own";
  const own = readEnv(ServeEnv, embeddedEnvironment(env));
  const opened = new Lifecycle();
  try {
    const backends = {
      Solana: await openSolana(own, opened, quietLog),
      TRON: await openTron(own, opened, quietLog),
      EVM: await openEvm(own, opened, quietLog),
    };
    if (own.EVM_MARKETS_FILE !== undefined) await readMarkets(own.EVM_MARKETS_FILE);
    const named = Object.entries(backends).flatMap(([family, backend]) => (backend === undefined ? [] : [family]));
    return named.length === 0 ? "none: checks that need one are UNKNOWN" : `for ${named.join(", ")}`;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function fitting(_bounds: object): string {
  return "fit together";
}
