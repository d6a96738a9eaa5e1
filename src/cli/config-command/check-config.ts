import type { z } from "zod";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { readOldPolicy } from "../../policy/old-policy.ts";
import { archiveLocation } from "../config/archive-location.ts";
import { type ConfigPart, checkParts } from "../config/check-parts.ts";
import { checkVariables } from "../config/check-variables.ts";
import {
  type DoctorConfig,
  type Environment,
  type KafkaConfig,
  type PlanConfig,
  readEnv,
  type ScreenConfig,
  type ScreeningConfig,
  type ServeConfig,
  type WorkerConfig,
} from "../config/config.ts";
import { settingsOf } from "../config/docs/env-table.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import type { RegistryConfig } from "../config/env/registry-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { readKeys } from "../config/keys.ts";
import { registrySettings } from "../config/registry-settings.ts";
import { openDialect } from "../service-connection/open-dialect.ts";
import { INTERFACE } from "../service-connection/service-client-env.ts";
import { runBounds, workerBounds } from "../wiring/lane-settings.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { registryOfVerdicts } from "../wiring/open-verdict-format.ts";
import { s3StoreOptions } from "../wiring/s3-store.ts";
import { lookAtNodes, lookAtNodesOfRun } from "./node-parts.ts";
import { dialectPart, listsPart, policyPart, screeningParts, servicePart } from "./screening-parts.ts";

/** Checks every variable and file that a command reads at its start, with a line each. It uses no network. */
export async function checkConfig(command: string, env: Environment): Promise<readonly CheckedItem[]> {
  const schema = settingsOf(command);
  if (schema === undefined) throw new ConfigInvalidError(`weir ${command} reads no settings`);
  return checkOf(schema, partsOf[command] ?? [], env);
}

async function checkOf<C>(
  schema: z.ZodObject,
  parts: readonly ConfigPart<C>[],
  env: Environment,
): Promise<readonly CheckedItem[]> {
  const { checks, config, wrong } = checkVariables(schema, env);
  // A part that depends on a faulty variable is skipped.
  return [...checks, ...(await checkParts(parts, config as unknown as C, env, wrong))];
}

const kafka: ConfigPart<unknown> = {
  check: "Kafka",
  reads: ["KAFKA_", "TOPIC", "RECORD_"],
  look: async (_, env) => {
    if ((env["KAFKA_BROKERS"] ?? "") === "") return "not used: KAFKA_BROKERS is not set";
    const { topics, groupId } = await kafkaSettings(readEnv(KafkaEnv, env));
    return `group ${groupId} reads ${[...topics.realtime, ...topics.backfill].join(", ")}`;
  },
};

const registry: ConfigPart<RegistryConfig & Pick<KafkaConfig, "VERDICT_FORMAT">> = {
  check: "schema registry",
  reads: ["SCHEMA_REGISTRY_", "EVENT_FORMAT", "VERDICT_FORMAT"],
  look: async (config) => {
    const settings = await registrySettings(config);
    const { VERDICT_FORMAT: format } = config;
    if (format !== "json") registryOfVerdicts(format, settings);
    return settings === undefined
      ? "not used: SCHEMA_REGISTRY_URL is not set"
      : `records are read as ${settings.format}`;
  },
};

const bounds: ConfigPart<PlanConfig> = {
  check: "bounds",
  reads: ["LANE_"],
  look: async (config) => fitting(runBounds(config)),
};

const archive: ConfigPart<WorkerConfig> = {
  check: "archive",
  reads: ["S3_", "ARCHIVE_"],
  look: async (config) => {
    const place = archiveLocation(config);
    const { S3_BUCKET } = config;
    if (S3_BUCKET !== undefined) s3StoreOptions({ ...config, S3_BUCKET });
    return place === "here" ? `in ${S3_BUCKET}` : `not by this worker: ARCHIVE_PLACE is ${place}`;
  },
};

const screenParts: readonly ConfigPart<ScreenConfig>[] = [
  servicePart,
  ...screeningParts,
  bounds,
  { check: "nodes", reads: ["SERVICE_", "SOLANA_", "TRON_", "EVM_", "LABELS_", "LISTS_"], look: lookAtNodesOfRun },
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
    ...servicePart,
    look: async (config, env) => {
      if (config.SERVICE_URL !== undefined) return servicePart.look(config, env);
      throw new ConfigInvalidError("SERVICE_URL must name the service of a worker; `weir serve` runs one");
    },
  },
  ...screeningParts,
  { check: "bounds", reads: ["LANE_"], look: async (config) => fitting(workerBounds(config)) },
  kafka,
  registry,
  archive,
];

const serveParts: readonly ConfigPart<ServeConfig>[] = [
  {
    check: "keys",
    reads: ["SERVICE_API_KEYS"],
    look: async ({ SERVICE_API_KEYS: values, SERVICE_API_KEYS_FILE: file }) => {
      const keys = await readKeys({
        file,
        values,
        names: { file: "SERVICE_API_KEYS_FILE", values: "SERVICE_API_KEYS" },
      });
      return `${keys.length} read from SERVICE_API_KEYS${file === undefined ? "" : "_FILE"}`;
    },
  },
  {
    check: "nodes",
    reads: ["SOLANA_", "TRON_", "EVM_"],
    look: async (config) => lookAtNodes(config),
  },
];

/** A plan reads the file of a dialect, and none of the scales of answers. */
const dialectFile: ConfigPart<PlanConfig> = {
  check: "dialect",
  reads: ["SERVICE_DIALECT"],
  look: async (config) => {
    await openDialect(config);
    return config.SERVICE_DIALECT === INTERFACE ? "the interface as it is" : config.SERVICE_DIALECT;
  },
};

const bucket: ConfigPart<DoctorConfig> = {
  check: "archive",
  reads: ["S3_"],
  look: async (config) => {
    const { S3_BUCKET } = config;
    if (S3_BUCKET === undefined) return "not used: S3_BUCKET is not set";
    s3StoreOptions({ ...config, S3_BUCKET });
    return `in ${S3_BUCKET}`;
  },
};

const planParts: readonly ConfigPart<ScreeningConfig & PlanConfig>[] = [
  servicePart,
  dialectFile,
  policyPart,
  listsPart,
  bounds,
];

/** The policies of earlier verdicts may lack rows of the present one. */
const pastPolicies: ConfigPart<{ readonly POLICY_FILE: readonly string[] }> = {
  check: "policies",
  reads: ["POLICY_FILE"],
  look: async ({ POLICY_FILE: files }) => {
    for (const file of files) await openPolicy(file, readOldPolicy);
    return `${files.length} of your own, and all versions of data/policy.json`;
  },
};

/** Parts of a configuration by command. A command that is missing reads variables only. */
const partsOf: Readonly<Record<string, readonly ConfigPart<never>[]>> = {
  screen: screenParts,
  demo: screenParts,
  worker: workerParts,
  serve: serveParts,
  plan: planParts,
  archive: [kafka, bucket],
  audit: [kafka, bucket, pastPolicies],
  backtest: [bucket, pastPolicies],
  explain: [bucket, pastPolicies],
  rescreen: [bucket, listsPart, pastPolicies],
  find: [bucket],
  index: [bucket],
  export: [bucket],
  doctor: [kafka, registry, dialectPart, policyPart, bucket],
  enqueue: [kafka],
  replay: [kafka],
  adapter: [dialectPart, policyPart],
  labels: [listsPart],
};

function fitting(_bounds: object): string {
  return "fit together";
}
