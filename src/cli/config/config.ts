import { z } from "zod";
import { plainWords } from "../../api/requests/plain-words.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { CONFIRM_SHARE } from "../../worker/batching/replies/confirm-share.ts";
import { MOST_WEIGHT } from "../../worker/rate-limit/sharing/fair-weights.ts";
import { ServiceClientEnv } from "../service-connection/service-client-env.ts";
import { archiveChoices } from "./archive-location.ts";
import { type ArchiveEnv, adminEnv, archivingEnv, BacktestEnv } from "./env/archive-env.ts";
import { RunCacheEnv, WorkerCacheEnv } from "./env/cache-env.ts";
import { count, decimal, duration, flagOr, list, longDuration, serviceLevels, tenantWeights } from "./env/fields.ts";
import { KafkaEnv } from "./env/kafka-env.ts";
import { RunLanesEnv, WorkerLanesEnv } from "./env/lanes-env.ts";
import { EvmEnv, NodesEnv, solanaNodes, tronNodes } from "./env/nodes-env.ts";
import { RegistryEnv } from "./env/registry-env.ts";
import { S3Env } from "./env/s3-env.ts";
import { type ServeEnv, sharedEnv } from "./env/serve-env.ts";

/** Settings of the lists that the worker itself screens events with. */
const ListsEnv = {
  LISTS_FILES: list
    .prefault("")
    .describe(
      "CSV or JSON files of sanctioned, blocked and allowed addresses, separated by commas. Every event is compared with the lists, whatever the service answers. Weir reloads a file when the file changes.",
    ),
  LISTS_MAX_AGE: longDuration("7d").describe(
    "Age from which Weir reports a list as too old, with a warning in the log and the alert WeirListOld.",
  ),
};

/** Settings of every command that screens. */
const ScreeningEnv = z.object({
  ...ServiceClientEnv.shape,
  ...ListsEnv,
  LABELS_FILES: list
    .prefault("")
    .describe(
      "CSV or JSON files of labels, separated by commas. Rows that are sanctioned, malicious or of risk_level 4 and 5 count as lists. Weir recognises the tokens and services in these files.",
    ),
  BUNDLED_LABELS: flagOr("true").describe(
    "`false` leaves out the labels of bridges, protocols and tokens that ship in data/. Calls of these contracts are then unknown.",
  ),
  TENANT_WEIGHTS: tenantWeights.describe(
    "Weights of tenants, for example `exchange=3,otc=0.5`. Tenants that wait at the same time share permits by weight. A tenant that is not named has weight 1.",
  ),
  SERVICE_QUOTA_WEIGHT: decimal("1", { least: 0.01, most: MOST_WEIGHT }).describe(
    "Weight of this process among the processes that share SERVICE_QUOTA. A process of weight 2 gets twice the share of a process of weight 1.",
  ),
  SERVICE_QUOTA_ALONE: decimal("0.1", { least: 0.001, most: 1 }).describe(
    "Part of SERVICE_QUOTA that a process uses while the process cannot reach TOPIC_CONTROL, by which the quota is shared.",
  ),
  SERVICE_QUOTA_CONFIRM: decimal(String(CONFIRM_SHARE), { least: 0.01, most: 1 }).describe(
    "Largest part of the poisoning requests that may be confirmations while other questions wait.",
  ),
  SERVICE_LEVELS: serviceLevels.describe(
    "Severities of the service's levels and scores, as LEVEL=SEVERITY or FROM-TO=SEVERITY, separated by commas: `low=INFO,medium=WARN,critical=BLOCK,0-30=INFO,31-69=WARN,70-100=BLOCK`. A severity is INFO, WARN, BLOCK or UNKNOWN. The prefix `trust:` applies an entry to trust_level. A level that neither this setting nor the interface defines is UNKNOWN.",
  ),
  SERVICE_TAXES: z
    .enum(["percent", "fraction"])
    .optional()
    .describe(
      "Unit of the taxes that the service states. When empty, the unit is unknown, and taxes up to 1 are UNKNOWN.",
    ),
  SERVICE_MAX_WAIT: duration("5min").describe(
    "Longest wait of realtime events when the service announces a wait (Retry-After). Backfill events wait as long as the service announces, up to 60min.",
  ),
  SERVICE_CONCURRENCY: count(32).describe("Most requests to the service that are open at once."),
  SOLANA_GROUP_MAX: count(8).describe("Most Solana transactions in one simulation request."),
  DECISION_DEADLINE: duration("30s").describe(
    "Longest time until a realtime event has a verdict. An event without an answer by then gets a provisional UNKNOWN verdict.",
  ),
  OVERDUE_GRACE: duration("2s").describe(
    "Longest silence of the service before an overdue event gets a provisional UNKNOWN verdict. An event is overdue when DECISION_DEADLINE has passed before the event is read, as after a backlog. While the service answers, an overdue event waits for an answer, at most for DECISION_DEADLINE.",
  ),
  POLICY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("Policy file. When empty, Weir uses the bundled data/policy.json."),
  ...sharedEnv,
});

/** Variables of `weir screen`. */
export const ScreenEnv = z.object({
  ...ScreeningEnv.shape,
  ...RunCacheEnv,
  ...RunLanesEnv,
  SERVICE_PATIENCE: duration("30s").describe("How long the service may be down before the run stops."),
  KAFKA_BROKERS: z
    .string()
    .optional()
    .describe(
      "Brokers of TOPIC_CONTROL, by which processes share SERVICE_QUOTA, as host:port. When empty, the run does not share the quota.",
    ),
  ...tronNodes,
  ...solanaNodes,
  ...EvmEnv.shape,
});

/** Variables of `weir adapter check`: the settings that decide an answer. */
export const AdapterCheckEnv = ScreenEnv.pick({
  SERVICE_DIALECT: true,
  SERVICE_LEVELS: true,
  SERVICE_TAXES: true,
  POLICY_FILE: true,
});

/** Settings that determine the number of requests and their duration. */
const planned = {
  // The service with the quota that a file keeps.
  SERVICE_URL: true,
  SERVICE_ALLOW_HTTP: true,
  SERVICE_API_KEY: true,
  SERVICE_API_KEY_FILE: true,
  SERVICE_DIALECT: true,
  SERVICE_ADAPTER: true,
  SERVICE_QUOTA: true,
  SERVICE_QUOTA_FILE: true,
  SOLANA_GROUP_MAX: true,
  ANSWER_CACHE_AGE_BACKFILL: true,
  ANSWER_CACHE_BYTES: true,
  LANE_BACKFILL_EVENTS: true,
  LANE_BACKFILL_SPAN: true,
  LANE_BACKFILL_BYTES: true,
  POLICY_FILE: true,
  LISTS_FILES: true,
  LISTS_MAX_AGE: true,
  LABELS_FILES: true,
  BUNDLED_LABELS: true,
} as const;

/**
 * Variables of `weir plan FILE`, which sends no request: the settings that `weir screen FILE` reads. Both take every
 * event for backfill.
 */
export const PlanEnv = ScreenEnv.pick({
  ...planned,
  // The nodes of the service that the run starts.
  SOLANA_RPC_URL: true,
  SOLANA_RPC_URL_FILE: true,
  SOLANA_SNAPSHOT: true,
  EVM_RPC_URLS: true,
  EVM_RPC_URLS_FILE: true,
  EVM_RPC_ALLOW_HTTP: true,
});

/**
 * Variables of `weir worker`. It starts no service of its own: the service decides about money, so an operator must
 * choose it.
 */
export const WorkerEnv = z.object({
  ...KafkaEnv.shape,
  ...RegistryEnv.shape,
  ...ScreeningEnv.shape,
  ...WorkerCacheEnv,
  ...WorkerLanesEnv,
  EVENT_MAP: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Mapping of the records in the input topics: the name of a preset (`weir map list`), or the path of a YAML or JSON file. When empty, the records are events.",
    ),
  SERVICE_URL: ScreeningEnv.shape.SERVICE_URL.describe(
    "URL of the security service. The URL must be https unless the service is on this machine. A worker requires this setting.",
  ),
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe(
    "Bucket of the archive. When empty, the worker archives nothing.",
  ),
  ARCHIVE_PLACE: z
    .enum(archiveChoices)
    .optional()
    .describe(
      "Process that archives verdicts: `here` is this worker, `elsewhere` is a `weir archive`, `off` is none. When empty, a worker with S3_BUCKET archives.",
    ),
  ...archivingEnv,
  ...adminEnv,
});

/** Variables of `weir plan --topic`: the settings that `weir worker` reads, which also has a realtime lane. */
export const PlanTopicEnv = WorkerEnv.pick({
  ...planned,
  EVENT_MAP: true,
  ANSWER_CACHE_AGE_CLEAN: true,
  LANE_REALTIME_EVENTS: true,
  LANE_REALTIME_SPAN: true,
  LANE_REALTIME_BYTES: true,
  ...(Object.fromEntries(Object.keys(RegistryEnv.shape).map((name) => [name, true])) as Record<
    keyof typeof RegistryEnv.shape,
    true
  >),
});

/** Variables of `weir rescreen`. */
export const RescreenEnv = BacktestEnv.extend({
  ...ListsEnv,
  ...ScreeningEnv.pick({ LABELS_FILES: true, BUNDLED_LABELS: true }).shape,
});

/** Variables of `weir doctor`. */
export const DoctorEnv = z.object({
  ...KafkaEnv.shape,
  ...RegistryEnv.shape,
  KAFKA_BROKERS: KafkaEnv.shape.KAFKA_BROKERS.optional().describe(
    "Brokers of the worker, as host:port, separated by commas. When empty, doctor does not check Kafka.",
  ),
  ...ServiceClientEnv.shape,
  SERVICE_URL: ServiceClientEnv.shape.SERVICE_URL.describe(
    "URL of the worker's security service. When empty, doctor does not check the service.",
  ),
  ...ScreeningEnv.pick({ SERVICE_LEVELS: true, SERVICE_TAXES: true, POLICY_FILE: true }).shape,
  ...NodesEnv.shape,
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe(
    "Bucket of the archive. When empty, doctor does not check the bucket.",
  ),
});

export type ServeConfig = z.output<typeof ServeEnv>;
export type ArchiveConfig = z.output<typeof ArchiveEnv>;
export type EvmConfig = z.output<typeof EvmEnv>;
export type NodesConfig = z.output<typeof NodesEnv>;
export type S3Config = z.output<typeof S3Env>;
export type DoctorConfig = z.output<typeof DoctorEnv>;
export type KafkaConfig = z.output<typeof KafkaEnv>;
export type ServiceClientConfig = z.output<typeof ServiceClientEnv>;
export type ScreeningConfig = z.output<typeof ScreeningEnv>;
export type PlanConfig = z.output<typeof PlanEnv>;
export type PlanTopicConfig = z.output<typeof PlanTopicEnv>;
export type ScreenConfig = z.output<typeof ScreenEnv>;
export type WorkerConfig = z.output<typeof WorkerEnv>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment once. An empty variable counts as unset.
 *
 * @throws {ConfigInvalidError} naming every bad variable at once, and never printing a value.
 */
export function readEnv<S extends z.ZodObject>(schema: S, env: Environment): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given, { error: plainWords });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `${variableAt(path)}: ${message}`);
  throw new ConfigInvalidError(`bad settings: ${wrong.join("; ")}`);
}

/** A variable and the position of the entry in its list, counted from 1. */
function variableAt([name, entry]: readonly PropertyKey[]): string {
  return `${String(name)}${typeof entry === "number" ? ` (entry ${entry + 1})` : ""}`;
}
