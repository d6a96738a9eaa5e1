import { z } from "zod";
import { logLevels } from "../adapters/pino/pino-log.ts";
import { ConfigInvalidError } from "../kernel/errors.ts";

/** One row per variable: name, type, default, unit. The README's table is printed from these by `npm run docs`. */
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number of at least 1 and at most nine digits")
  .transform(Number);
const count = (fallback: number) => wholeNumber.prefault(String(fallback));
const WEIGHT_RULE = "must look like exchange=3,otc=0.5, each of 0.01 to 1000";
const quota = z
  .string()
  .regex(/^[1-9]\d*\/[1-9]\d*(ms|s|min)$/, "must look like 50/1s or 600/1min")
  .transform((text) => {
    const [requests = "", window = ""] = text.split("/");
    const unitMs = window.endsWith("ms") ? 1 : window.endsWith("min") ? 60_000 : 1_000;
    return { requests: Number(requests), windowMs: Number.parseInt(window, 10) * unitMs };
  });

/** Shares so far apart would be starvation. */
const tenantWeight = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/, WEIGHT_RULE)
  .transform(Number)
  .pipe(z.number().min(0.01, WEIGHT_RULE).max(1_000, WEIGHT_RULE));
const tenantWeights = list
  .transform((items) =>
    items.map((item) => [item.slice(0, item.lastIndexOf("=")).trim(), item.slice(item.lastIndexOf("=") + 1).trim()]),
  )
  .pipe(z.array(z.tuple([z.string().min(1, WEIGHT_RULE), tenantWeight])))
  .transform((rows): ReadonlyMap<string, number> => new Map(rows))
  .prefault("");

/** `50/1s` or `600/1min`; undefined for anything else. */
export function parseQuota(text: string): z.output<typeof quota> | undefined {
  return quota.safeParse(text).data;
}

const duration = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}(ms|s|min)$/, "must look like 500ms, 30s or 2min")
    .transform((text) => Number.parseInt(text, 10) * (text.endsWith("ms") ? 1 : text.endsWith("min") ? 60_000 : 1_000))
    .prefault(fallback);

const portNumber = z.string().regex(/^\d+$/, "must be a port number").transform(Number).pipe(z.number().max(65_535));
const port = (fallback: string) => portNumber.prefault(fallback);
const adminHost = z.string().min(1).default("127.0.0.1").describe("address of /livez, /readyz and /metrics");

const shared = {
  LOG_LEVEL: z.enum(logLevels).default("info").describe("what is logged, as JSON lines"),
};

const flagOr = (fallback: "true" | "false") =>
  z
    .enum(["true", "false"])
    .default(fallback)
    .transform((text) => text === "true");
const flag = flagOr("false");

/** Ports are told from other numbers where they are used: a broker's address has one. */
const BROKER = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?:([1-9]\d{0,4})$/;
const brokers = list.pipe(
  z
    .array(
      z
        .string()
        .refine(
          (text) => Number(BROKER.exec(text)?.[2] ?? 65_536) < 65_536,
          "must be host:port, comma-separated, without a scheme; an IPv6 address needs a host name",
        ),
    )
    .min(1, "must name a broker, as host:port"),
);
const TOPIC_RULE = "must have at most 249 letters, digits, dots, dashes or underscores";
const topicName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,249}$/, TOPIC_RULE)
  .refine((name) => name !== "." && name !== "..", TOPIC_RULE);
const topic = (fallback: string) => topicName.prefault(fallback);
const topics = (fallback: string) => list.pipe(z.array(topicName)).prefault(fallback);

/** Whatever talks to Kafka. What several of these say together is judged by `kafka-settings.ts`. */
export const KafkaEnv = z.object({
  KAFKA_BROKERS: z
    .string({ error: "must name the brokers, as host:port, comma-separated" })
    .pipe(brokers)
    .describe("brokers to begin with, as host:port, comma-separated"),
  KAFKA_CLIENT_ID: z.string().min(1).default("weir").describe("how the brokers' logs and quotas name this client"),
  KAFKA_GROUP_ID: z
    .string()
    .min(1)
    .default("weir")
    .describe("consumer group of both lanes; `-retry`, `-replay`, `-archive` and `-audit` are made of it"),
  TOPICS_REALTIME: topics("screening.events").describe("topics of events that wait for their verdict, comma-separated"),
  TOPICS_BACKFILL: topics("screening.backfill").describe("topics of events that can wait, comma-separated"),
  TOPIC_VERDICTS: topic("screening.verdicts").describe("topic that verdicts go to"),
  TOPIC_DEAD_LETTERS: topic("screening.dead-letters").describe("topic of events that could not be screened"),
  TOPIC_RETRY_PREFIX: topic("screening.retry").describe("`.10s`, `.1m` and `.10m` after it name the topics of tickets"),
  TOPIC_CONTROL: topic("screening.control").describe("topic of one partition, by which processes share a quota"),
  RECORD_MAX_BYTES: count(786_432)
    .refine((bytes) => bytes >= 524_288, "must be at least 524288: the ticket of a large event takes as much")
    .describe("longest record that is written; the topics must take it"),
  KAFKA_SESSION_TIMEOUT: duration("30s")
    .refine((ms) => ms >= 6_000 && ms <= 1_800_000, "must lie between 6s and 30min")
    .describe("silence after which the brokers give a process's partitions to others"),
  KAFKA_TLS: flag.describe("`true` encrypts connections and checks the brokers' certificates and host names"),
  KAFKA_TLS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the authorities to trust; empty = the public ones"),
  KAFKA_TLS_CERT_FILE: z.string().min(1).optional().describe("PEM file of the client's certificate, for mutual TLS"),
  KAFKA_TLS_KEY_FILE: z.string().min(1).optional().describe("PEM file of the client certificate's key"),
  KAFKA_SASL_MECHANISM: z
    .enum(["plain", "scram-sha-256", "scram-sha-512", "aws-msk-iam"])
    .optional()
    .describe("`plain`, `scram-sha-256`, `scram-sha-512` or `aws-msk-iam`; empty = none"),
  KAFKA_SASL_USERNAME: z.string().min(1).optional().describe("user name for SASL"),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional().describe("password for SASL"),
  KAFKA_SASL_PASSWORD_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that holds the password, in place of KAFKA_SASL_PASSWORD"),
  KAFKA_ALLOW_PLAINTEXT: flag.describe("`true` lets a SASL password be used without TLS beyond this machine"),
  KAFKA_AWS_REGION: z.string().min(1).optional().describe("region of the MSK cluster, for `aws-msk-iam`"),
});

/** Object Lock takes no more than 100 years. */
const MAX_LOCK_DAYS = 36_500;

/** Whatever archives to S3. Credentials are the SDK's own: AWS_ACCESS_KEY_ID and so on, profiles and roles. */
export const S3Env = z.object({
  S3_BUCKET: z
    .string({ error: "must name the bucket of the archive" })
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name: 3 to 63 of a-z, 0-9, dot and dash")
    .describe("bucket of the archive"),
  S3_ENDPOINT: z.string().optional().describe("S3 server other than Amazon's, https but on this machine"),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, "must look like eu-central-1")
    .optional()
    .describe("region of the bucket; empty = AWS_REGION, or that of the profile"),
  S3_PREFIX: z
    .string()
    .regex(
      /^(?!\.{1,2}(\/|$))[\w!.*'()=-]+(\/(?!\.{1,2}(\/|$))[\w!.*'()=-]+)*\/?$/,
      "must be a folder's name, as in archive/weir, of letters, digits and !_.*'()=-",
    )
    .optional()
    .describe("folder in the bucket that the archive's keys begin with"),
  S3_FORCE_PATH_STYLE: flag.describe("`true` names the bucket in paths, as most servers but Amazon's need"),
  S3_KMS_KEY_ID: z.string().min(1).optional().describe("KMS key that objects are encrypted with; empty = the bucket's"),
  S3_EXPECTED_BUCKET_OWNER: z
    .string()
    .regex(/^\d{12}$/, "must be an account of 12 digits")
    .optional()
    .describe("account that the bucket must belong to"),
  S3_OBJECT_LOCK_DAYS: wholeNumber
    .refine((days) => days <= MAX_LOCK_DAYS, `must be at most ${MAX_LOCK_DAYS}`)
    .optional()
    .describe("days in which nobody can remove an object; the bucket must have been made with Object Lock"),
  S3_OBJECT_LOCK_MODE: z
    .enum(["GOVERNANCE", "COMPLIANCE"])
    .optional()
    .describe("`GOVERNANCE` lets those remove it who may bypass the lock, `COMPLIANCE` nobody"),
  S3_STORAGE_CLASS: z
    .enum(["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR"])
    .optional()
    .describe("storage class of objects; those that must be restored before they are read are not offered"),
  S3_CHECKSUMS: z
    .enum(["always", "when-required"])
    .default("always")
    .describe("`when-required` sends no checksums that an older server may refuse"),
});

const solanaSnapshot = z
  .string()
  .min(1)
  .optional()
  .describe("JSON file of the Solana accounts that simulations run on, in place of nodes");

/** Where Solana simulations happen. With neither nodes nor a snapshot that chain is unsupported. */
const solana = {
  SOLANA_RPC_URL: list.optional().describe("Solana nodes, comma-separated, asked in this order; may hold keys"),
  SOLANA_ENGINE: z
    .enum(["node", "local"])
    .default("node")
    .describe("`node`: the nodes run transactions; `local`: this process does, over accounts that it reads from them"),
  SOLANA_COMMITMENT: z
    .enum(["processed", "confirmed", "finalized"])
    .default("confirmed")
    .describe("which state of the chain the nodes are asked for"),
  SOLANA_RPC_TIMEOUT_MS: count(3_000).describe("longest wait for one answer of a node, milliseconds"),
  SOLANA_RPC_ALLOW_HTTP: flag.describe("`true` lets SOLANA_RPC_URL be http beyond this machine"),
  SOLANA_SNAPSHOT: solanaSnapshot,
};

/** Where TRON transactions are executed. */
const tronNodes = {
  TRON_RPC_URL: list
    .prefault("")
    .describe(
      "HTTP interfaces of TRON nodes (what stands before /wallet), comma-separated, the first asked first; empty = nothing is executed",
    ),
  TRON_RPC_API_KEY: z.string().min(1).optional().describe("key for them"),
  TRON_RPC_API_KEY_FILE: z.string().min(1).optional().describe("file that holds the key, in place of TRON_RPC_API_KEY"),
  TRON_RPC_API_KEY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "must be the name of a header")
    .default("TRON-PRO-API-KEY")
    .describe("header that the key goes in"),
  TRON_RPC_ALLOW_HTTP: flag.describe(
    "`true` lets TRON_RPC_URL be http beyond this machine, where others may listen in",
  ),
  TRON_RPC_TIMEOUT: duration("2s")
    .refine(
      (ms) => ms <= 2_000,
      "must be at most 2s: several nodes may be asked in turn for one transaction, within ten seconds",
    )
    .describe("longest wait for one answer of one node"),
};

/** Whatever asks EVM chains. `open-evm.ts` reads the URLs. */
export const EvmEnv = z.object({
  EVM_RPC_URLS: z
    .string()
    .optional()
    .describe('JSON-RPC endpoints by chain id, one or several in order: `{"1": ["https://...", "https://..."]}`'),
  EVM_RPC_URLS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that holds the same JSON, in place of EVM_RPC_URLS, since the URLs hold keys"),
  EVM_RPC_ALLOW_HTTP: flag.describe("`true` lets endpoints be http beyond this machine, where others may listen in"),
  EVM_RPC_TIMEOUT_MS: count(2_000).describe("longest wait for one endpoint's answer, milliseconds"),
  EVM_RPC_CONCURRENCY: count(8).describe("requests on the wire to one endpoint at once"),
  EVM_RPC_QUOTA: quota.optional().describe("requests that one endpoint may be sent, e.g. `25/1s`; empty = unlimited"),
  EVM_VERIFIER_URL: z
    .string()
    .min(1)
    .optional()
    .describe("register of verified sources; empty = whether a contract is verified is unknown"),
  EVM_VERIFIER: z
    .enum(["sourcify", "etherscan"])
    .default("sourcify")
    .describe("how that is asked: `sourcify` or `etherscan`"),
  EVM_VERIFIER_API_KEY: z.string().min(1).optional().describe("key for it, where it wants one"),
  EVM_VERIFIER_API_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that holds the key, in place of EVM_VERIFIER_API_KEY"),
});

/** `weir serve`. */
export const ServeEnv = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("address to listen on"),
  PORT: port("8080").describe("port to listen on; 0 takes a free one"),
  SERVICE_API_KEYS: list.optional().describe("keys that clients may use, comma-separated"),
  SERVICE_API_KEYS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file with one key a line, in place of SERVICE_API_KEYS"),
  SERVICE_RATE_LIMIT: quota.optional().describe("requests a key may make, e.g. `50/1s`; empty = unlimited"),
  LABELS_FILES: list.prefault("").describe("CSV or JSON files of labels, comma-separated; reloaded when they change"),
  BUNDLED_LABELS: flagOr("true").describe("`false` leaves out the bridges, protocols and tokens that ship in data/"),
  ADMIN_HOST: adminHost,
  ADMIN_PORT: portNumber.optional().describe("port of /livez, /readyz and /metrics for operators; empty = none"),
  ...tronNodes,
  ...solana,
  ...EvmEnv.shape,
  ...shared,
});

/** `weir labels`. */
export const LabelsEnv = ServeEnv.pick({ LABELS_FILES: true, BUNDLED_LABELS: true });

/** Whatever asks the service. */
const ServiceClientEnv = z.object({
  SERVICE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("security service, https but on this machine; empty = an embedded one"),
  SERVICE_ALLOW_HTTP: flag.describe("`true` lets SERVICE_URL be http beyond this machine, where others may listen in"),
  SERVICE_API_KEY: z.string().min(1).optional().describe("key for SERVICE_URL"),
  SERVICE_API_KEY_FILE: z.string().min(1).optional().describe("file that holds the key, in place of SERVICE_API_KEY"),
  SERVICE_TIMEOUT_MS: count(10_000).describe("longest wait for one answer, milliseconds"),
  SERVICE_QUOTA: quota.optional().describe("requests that the key may make, e.g. `50/1s`; empty = learned"),
  SERVICE_QUOTA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that keeps what was learned; empty = DIR/quota.json of `weir screen`, none of `weir worker`"),
});

/** Whatever screens. */
const ScreeningEnv = z.object({
  ...ServiceClientEnv.shape,
  TENANT_WEIGHTS: tenantWeights.describe(
    "shares of tenants that wait at the same time, e.g. `exchange=3,otc=0.5`; others have 1",
  ),
  SERVICE_CONCURRENCY: count(32).describe("requests on the wire at once"),
  SOLANA_GROUP_MAX: count(8).describe("most Solana transactions in one simulation request"),
  DECISION_DEADLINE: duration("30s").describe(
    "how long a realtime event waits, before it is UNKNOWN for the time being",
  ),
  POLICY_FILE: z.string().min(1).optional().describe("policy file; empty = data/policy.json"),
  ...shared,
});

/** `weir plan`, which asks nobody. */
export const PlanEnv = z.object({
  SERVICE_QUOTA: ServiceClientEnv.shape.SERVICE_QUOTA,
  SERVICE_QUOTA_FILE: ServiceClientEnv.shape.SERVICE_QUOTA_FILE,
  SOLANA_GROUP_MAX: ScreeningEnv.shape.SOLANA_GROUP_MAX,
  POLICY_FILE: ScreeningEnv.shape.POLICY_FILE,
});

/** `weir screen`. */
export const ScreenEnv = z.object({
  ...ScreeningEnv.shape,
  SERVICE_PATIENCE: duration("30s").describe("how long a service may be down before the run stops"),
  LABELS_FILES: list.prefault("").describe("label files of the embedded service"),
  BUNDLED_LABELS: flagOr("true").describe("`false` leaves the bundled labels out of the embedded service"),
  SOLANA_RPC_URL: solana.SOLANA_RPC_URL.describe("Solana nodes of the embedded service, as for `weir serve`"),
  SOLANA_SNAPSHOT: solanaSnapshot.describe("Solana accounts of the embedded service, as for `weir serve`"),
  ...tronNodes,
  ...EvmEnv.shape,
});

const archiving = {
  ARCHIVE_VERDICTS: count(100_000).describe("verdicts after which an object of the archive is cut"),
  ARCHIVE_BYTES: count(64 * 1024 * 1024).describe("bytes after which it is cut, before they are packed"),
  ARCHIVE_AGE: duration("5min").describe("time after which it is cut, however small"),
};

const admin = {
  ADMIN_HOST: adminHost,
  ADMIN_PORT: port("9464").describe("their port; 0 takes a free one"),
};

/** `weir worker`. It starts no service of its own: what it asks decides about money, so somebody must have chosen it. */
export const WorkerEnv = z.object({
  ...KafkaEnv.shape,
  ...ScreeningEnv.shape,
  SERVICE_URL: ScreeningEnv.shape.SERVICE_URL.describe(
    "security service, https but on this machine; a worker needs one",
  ),
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe("bucket of the archive; empty = the worker archives nothing"),
  ...archiving,
  ...admin,
});

/** `weir archive`. */
export const ArchiveEnv = z.object({ ...KafkaEnv.shape, ...S3Env.shape, ...archiving, ...admin, ...shared });

/** `weir audit`. With KAFKA_BROKERS it compares with the topic, and reads the other variables of Kafka. */
export const AuditEnv = z.object({
  ...S3Env.shape,
  KAFKA_BROKERS: z.string().optional().describe("brokers of the topic to compare with; empty = none is"),
  TOPIC_VERDICTS: KafkaEnv.shape.TOPIC_VERDICTS,
  POLICY_FILE: ScreeningEnv.shape.POLICY_FILE,
});

/** `weir health`. */
export const HealthEnv = z.object({ ...admin, HOST: ServeEnv.shape.HOST, PORT: ServeEnv.shape.PORT });

/** `weir doctor`. */
export const DoctorEnv = z.object({
  ...KafkaEnv.shape,
  ...ServiceClientEnv.shape,
  SERVICE_URL: ServiceClientEnv.shape.SERVICE_URL.describe("security service of the worker; empty = it is not asked"),
  ...S3Env.shape,
  S3_BUCKET: S3Env.shape.S3_BUCKET.optional().describe("bucket of the archive; empty = it is not looked at"),
});

export type ServeConfig = z.output<typeof ServeEnv>;
export type ArchiveConfig = z.output<typeof ArchiveEnv>;
export type EvmConfig = z.output<typeof EvmEnv>;
export type S3Config = z.output<typeof S3Env>;
export type DoctorConfig = z.output<typeof DoctorEnv>;
export type KafkaConfig = z.output<typeof KafkaEnv>;
export type ServiceClientConfig = z.output<typeof ServiceClientEnv>;
export type ScreeningConfig = z.output<typeof ScreeningEnv>;
export type ScreenConfig = z.output<typeof ScreenEnv>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment once. An empty variable counts as unset.
 *
 * @throws {ConfigInvalidError} naming every bad variable at once, and never printing a value.
 */
export function readEnv<S extends z.ZodObject>(schema: S, env: Environment): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ConfigInvalidError(`bad environment: ${names.join("; ")}`);
}
