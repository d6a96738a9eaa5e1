/** A group of variables on the page of all variables. */
interface VariableArea {
  readonly title: string;
  readonly intro: string;
  /** Matches the names of the variables of this area. */
  readonly names: RegExp;
}

/** The areas in the order of the page. The first area that matches a name has the variable. */
export const variableAreas: readonly VariableArea[] = [
  {
    title: "The service that Weir asks",
    intro: "`weir screen` and `weir worker` send their questions there.",
    names: /^SERVICE_(?:URL|ALLOW_HTTP|API_KEY|API_KEY_FILE|DIALECT|ADAPTER|TLS_\w+|TIMEOUT_MS|CONCURRENCY|PATIENCE)$/,
  },
  {
    title: "Quota and order of requests",
    intro: "[Rate limits](rate-limits.md) explains how they work together.",
    names: /^(?:SERVICE_(?:QUOTA(?:_\w+)?|MAX_WAIT)|TENANT_WEIGHTS|SOLANA_GROUP_MAX)$/,
  },
  {
    title: "Decisions",
    intro: "[Verdicts](verdicts.md) explains findings and severities.",
    names: /^(?:POLICY_FILE|DECISION_DEADLINE|OVERDUE_GRACE|SERVICE_LEVELS|SERVICE_TAXES)$/,
  },
  {
    title: "Labels and lists",
    intro: "[Labels and lists](labels-and-lists.md) explains the files.",
    names: /^(?:LABELS_|LISTS_|BUNDLED_LABELS$)/,
  },
  {
    title: "Kafka topics and groups",
    intro: "[Kafka](kafka.md) explains what each topic holds.",
    names:
      /^(?:KAFKA_(?:BROKERS|CLIENT_ID|GROUP_ID|SESSION_TIMEOUT|PASS_HEADERS|INPUT_KEY_AS|REPLY_TOPICS)|TOPICS?_\w+|RECORD_MAX_BYTES)$|^EVENT_MAP$/,
  },
  {
    title: "Schema registry",
    intro: "[Kafka](kafka.md#formats-by-a-schema-registry) explains which records a registry helps to read.",
    names: /^(?:SCHEMA_REGISTRY_|EVENT_FORMAT$|VERDICT_FORMAT$)/,
  },
  {
    title: "Kafka security",
    intro: "TLS and SASL apply to every command that uses Kafka.",
    names: /^KAFKA_/,
  },
  {
    title: "Memory and cached answers",
    intro: "These bounds limit how much one process works on at once, and how long an answer is used again.",
    names: /^(?:LANE_|ANSWER_CACHE_)/,
  },
  {
    title: "Archive and audit",
    intro: "[Archive and audit](archive.md) explains objects and findings.",
    names: /^(?:S3_|ARCHIVE_|AUDIT_)/,
  },
  {
    title: "EVM nodes and registers",
    intro: "Weir's own service reads and runs tokens and transactions there.",
    names: /^(?:EVM_|TOKEN_STORE_FILE$)/,
  },
  { title: "Solana nodes", intro: "Weir's own service simulates Solana transactions there.", names: /^SOLANA_/ },
  { title: "TRON nodes", intro: "Weir's own service executes TRON transactions there.", names: /^TRON_/ },
  {
    title: "Weir's own service",
    intro: "`weir serve` listens at this address for clients with these keys.",
    names: /^(?:HOST|PORT|SERVICE_API_KEYS(?:_FILE)?|SERVICE_RATE_LIMIT)$/,
  },
  {
    title: "Health, metrics and log",
    intro: "Operators and Prometheus use the admin port.",
    names: /^(?:ADMIN_|LOG_|WEIR_CONFIG$)/,
  },
];
