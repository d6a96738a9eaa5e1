import { z } from "zod";
import { logLevels } from "../../adapters/logging/log-levels.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { CONFIRM_SHARE } from "../../worker/batching/replies/confirm-share.ts";
import { MOST_WEIGHT } from "../../worker/rate-limit/sharing/fair-weights.ts";
import { ServiceClientEnv } from "../service-connection/service-client-env.ts";
import { archiveChoices } from "./archive-location.ts";
import { RunCacheEnv, WorkerCacheEnv } from "./env/cache-env.ts";
import {
  count,
  decimal,
  duration,
  flagOr,
  list,
  longDuration,
  losses,
  port,
  portNumber,
  serviceLevels,
  tenantWeights,
} from "./env/fields.ts";
import { KafkaEnv } from "./env/kafka-env.ts";
import { RunLanesEnv, WorkerLanesEnv } from "./env/lanes-env.ts";
import { EvmEnv, NodesEnv, solanaNodes, tronNodes } from "./env/nodes-env.ts";
import { quota } from "./env/quota-field.ts";
import { bucketNamed, S3Env } from "./env/s3-env.ts";

/** One row per variable: name, type, default, unit. The README's table is printed from these by `npm run docs`. */
const adminHost = z.string().min(1).default("127.0.0.1").describe("address of /livez, /readyz and /metrics");

const shared = {
  LOG_LEVEL: z.enum(logLevels).default("info").describe("what is logged, as JSON lines"),
};

/** Variables of `weir serve`. */
export const ServeEnv = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("address to listen on"),
  PORT: port("8080").describe("port to listen on; 0 takes a free one"),
  SERVICE_API_KEYS: list.optional().describe("keys that clients may use, comma-separated"),
  SERVICE_API_KEYS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file with one key a line, in place of SERVICE_API_KEYS"),
  SERVICE_RATE_LIMIT: quota
    .optional()
    .describe("requests a key may make, e.g. `50/1s` or `100000/1d`; empty = unlimited"),
  LABELS_FILES: list.prefault("").describe("CSV or JSON files of labels, comma-separated; reloaded when they change"),
  LISTS_FILES: list
    .prefault("")
    .describe(
      "list files, comma-separated; their rows that accuse count as those of LABELS_FILES, and what they allow excuses nobody; reloaded when they change",
    ),
  BUNDLED_LABELS: flagOr("true").describe("`false` leaves out the bridges, protocols and tokens that ship in data/"),
  ADMIN_HOST: adminHost,
  ADMIN_PORT: portNumber.optional().describe("port of /livez, /readyz and /metrics for operators; empty = none"),
  ...tronNodes,
  ...solanaNodes,
  ...EvmEnv.shape,
  ...shared,
});

/** Variables of `weir labels`. */
export const LabelsEnv = z.object({
  ...ServeEnv.pick({ LABELS_FILES: true, BUNDLED_LABELS: true }).shape,
  LISTS_FILES: list.prefault("").describe("list files, as `weir screen` and `weir worker` hold events against them"),
});

/** Settings of the lists that the worker itself screens events with. */
const ListsEnv = {
  LISTS_FILES: list
    .prefault("")
    .describe(
      "CSV or JSON files of sanctioned, blocked and allowed addresses, comma-separated; read again when they change; every event is held against them, whatever the service answers",
    ),
  LISTS_MAX_AGE: longDuration("7d").describe(
    "age from which on a list is reported as too old: a warning in the log, and the alert WeirListOld",
  ),
};

/** Settings of every command that screens. */
const ScreeningEnv = z.object({
  ...ServiceClientEnv.shape,
  ...ListsEnv,
  LABELS_FILES: list
    .prefault("")
    .describe(
      "CSV or JSON files of labels, comma-separated; rows that are sanctioned, malicious or of risk_level 4 and 5 count as lists; tokens and services in them are known to the worker",
    ),
  BUNDLED_LABELS: flagOr("true").describe(
    "`false` leaves out the bridges, protocols and tokens that ship in data/: calls of their contracts are unknown then",
  ),
  TENANT_WEIGHTS: tenantWeights.describe(
    "shares of tenants that wait at the same time, e.g. `exchange=3,otc=0.5`; others have 1",
  ),
  SERVICE_QUOTA_WEIGHT: decimal("1", { least: 0.01, most: MOST_WEIGHT }).describe(
    "times the share that other processes on the key have of SERVICE_QUOTA, where all of them want more",
  ),
  SERVICE_QUOTA_ALONE: decimal("0.1", { least: 0.001, most: 1 }).describe(
    "part of SERVICE_QUOTA that a process takes while it cannot reach those it shares it with",
  ),
  SERVICE_QUOTA_CONFIRM: decimal(String(CONFIRM_SHARE), { least: 0.01, most: 1 }).describe(
    "part of the poisoning requests, at most, that ask again about what was flagged in company, while others wait",
  ),
  SERVICE_LEVELS: serviceLevels.describe(
    "what the levels and scores of the service mean, as LEVEL=SEVERITY or FROM-TO=SEVERITY, comma-separated, e.g. `low=INFO,medium=WARN,critical=BLOCK,0-30=INFO,31-69=WARN,70-100=BLOCK`; a severity is INFO, WARN, BLOCK or UNKNOWN; `trust:` in front reads trust_level; a level that neither this nor the interface's own table knows is UNKNOWN",
  ),
  SERVICE_TAXES: z
    .enum(["percent", "fraction"])
    .optional()
    .describe("unit of the taxes that the service states; empty = not known: taxes up to 1 are UNKNOWN then"),
  SERVICE_MAX_WAIT: duration("5min").describe(
    "longest wait that realtime events keep to when the service announces one (Retry-After); backfill events keep to all of it, up to 60min",
  ),
  SERVICE_CONCURRENCY: count(32).describe("requests on the wire at once"),
  SOLANA_GROUP_MAX: count(8).describe("most Solana transactions in one simulation request"),
  DECISION_DEADLINE: duration("30s").describe(
    "how long a realtime event waits, before it is UNKNOWN for the time being",
  ),
  OVERDUE_GRACE: duration("2s").describe(
    "how long the service may be silent before a realtime event is UNKNOWN for the time being that was past DECISION_DEADLINE when it was read (after a backlog, a crash or a rebalance); while the service answers, such an event waits for its answer, for DECISION_DEADLINE at most",
  ),
  POLICY_FILE: z.string().min(1).optional().describe("policy file; empty = data/policy.json"),
  ...shared,
});

/** Variables of `weir screen`. */
export const ScreenEnv = z.object({
  ...ScreeningEnv.shape,
  ...RunCacheEnv,
  ...RunLanesEnv,
  SERVICE_PATIENCE: duration("30s").describe("how long a service may be down before the run stops"),
  KAFKA_BROKERS: z
    .string()
    .optional()
    .describe("brokers of the topic by which SERVICE_QUOTA is shared with others; empty = it is not"),
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
export const PlanEnv = ScreenEnv.pick(planned);

/** Half of the limit for an object that an audit unpacks. Two objects may wait in memory. */
const MAX_OBJECT_BYTES = 128 * 1024 * 1024;
const DAY_MS = 86_400_000;

const archiving = {
  ARCHIVE_VERDICTS: count(100_000).describe("verdicts after which an object of the archive is cut"),
  ARCHIVE_BYTES: count(64 * 1024 * 1024)
    .refine((bytes) => bytes <= MAX_OBJECT_BYTES, `must be at most ${MAX_OBJECT_BYTES}`)
    .describe("bytes after which it is cut, before they are packed; at most 134217728"),
  ARCHIVE_AGE: duration("5min")
    .refine((ms) => ms <= DAY_MS, "must be at most 1440min")
    .describe("time after which it is cut, however small; at most 1440min"),
};

const admin = {
  ADMIN_HOST: adminHost,
  ADMIN_PORT: port("9464").describe("their port; 0 takes a free one"),
};

/**
 * Variables of `weir worker`. It starts no service of its own: the service decides about money, so an operator must
 * choose it.
 */
export const WorkerEnv = z.object({
  ...KafkaEnv.shape,
  ...ScreeningEnv.shape,
  ...WorkerCacheEnv,
  ...WorkerLanesEnv,
  SERVICE_URL: ScreeningEnv.shape.SERVICE_URL.describe(
    "security service, https but on this machine; a worker needs one",
  ),
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe("bucket of the archive; empty = the worker archives nothing"),
  ARCHIVE_PLACE: z
    .enum(archiveChoices)
    .optional()
    .describe(
      "who archives: `here` this worker, `elsewhere` a `weir archive`, `off` nobody; empty = `here` with S3_BUCKET",
    ),
  ...archiving,
  ...admin,
});

/** Variables of `weir plan --topic`: the settings that `weir worker` reads, which also has a realtime lane. */
export const PlanTopicEnv = WorkerEnv.pick({
  ...planned,
  ANSWER_CACHE_AGE_CLEAN: true,
  LANE_REALTIME_EVENTS: true,
  LANE_REALTIME_SPAN: true,
  LANE_REALTIME_BYTES: true,
});

/** Variables of `weir archive`. */
export const ArchiveEnv = z.object({ ...KafkaEnv.shape, ...S3Env.shape, ...archiving, ...admin, ...shared });

/**
 * Variables of `weir audit`. With KAFKA_BROKERS it compares the archive with the topic, and reads the other variables
 * of Kafka.
 */
export const AuditEnv = z.object({
  ...S3Env.shape,
  S3_BUCKET: bucketNamed("must name the bucket of the archive; for the folder of a run, give --dir"),
  KAFKA_BROKERS: z.string().optional().describe("brokers of the topic to compare with; empty = none is"),
  TOPIC_VERDICTS: KafkaEnv.shape.TOPIC_VERDICTS,
  POLICY_FILE: list
    .prefault("")
    .describe(
      "your own policy files that decided what is archived, the old ones too, comma-separated; data/policy.json and what it was in earlier versions are known",
    ),
  AUDIT_KNOWN_LOSSES: losses.describe(
    "verdicts that the topic deleted before they were archived, e.g. `0:3-99,2:500-612`: partition, first and last offset of each gap; it is told, and is no finding",
  ),
  AUDIT_LISTS: z
    .enum(["archive", "log"])
    .prefault("archive")
    .describe(
      "where the sets of lists that verdicts name are spelled out: `archive` = a missing one is a finding; `log` = in the worker's log alone, as where `weir archive` archives, and a missing one is told on stderr",
    ),
});

/** Variables of `weir audit --dir`. */
export const AuditFolderEnv = AuditEnv.pick({ POLICY_FILE: true });

/** Variables of `weir health`. */
export const HealthEnv = z.object({ ...admin, HOST: ServeEnv.shape.HOST, PORT: ServeEnv.shape.PORT });

/** Variables of `weir doctor`. */
export const DoctorEnv = z.object({
  ...KafkaEnv.shape,
  KAFKA_BROKERS: KafkaEnv.shape.KAFKA_BROKERS.optional().describe(
    "brokers of the worker, as host:port, comma-separated; empty = Kafka is not looked at",
  ),
  ...ServiceClientEnv.shape,
  SERVICE_URL: ServiceClientEnv.shape.SERVICE_URL.describe("security service of the worker; empty = it is not asked"),
  ...ScreeningEnv.pick({ SERVICE_LEVELS: true, SERVICE_TAXES: true, POLICY_FILE: true }).shape,
  ...NodesEnv.shape,
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe("bucket of the archive; empty = it is not looked at"),
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
  throw new ConfigInvalidError(`bad environment: ${wrong.join("; ")}`);
}

/** A variable and the position of the entry in its list, counted from 1. */
function variableAt([name, entry]: readonly PropertyKey[]): string {
  return `${String(name)}${typeof entry === "number" ? ` (entry ${entry + 1})` : ""}`;
}
