/** Settings with a secret value, which no output shows. Each has a variable `NAME_FILE` for a file with the value. */
export const secretSettings = [
  "SERVICE_API_KEY",
  "SERVICE_API_KEYS",
  "KAFKA_SASL_PASSWORD",
  "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET",
  "SCHEMA_REGISTRY_PASSWORD",
  "SCHEMA_REGISTRY_TOKEN",
  "SOLANA_RPC_URL",
  "TRON_RPC_API_KEY",
  "EVM_RPC_URLS",
  "EVM_VERIFIER_API_KEY",
] as const;

/** Settings of several values between commas. A file may list the values one by one. */
const listSettings = new Set([
  ...["SERVICE_API_KEYS", "LABELS_FILES", "LISTS_FILES", "POLICY_FILE", "SERVICE_LEVELS", "TENANT_WEIGHTS"],
  ...[
    "KAFKA_BROKERS",
    "TOPICS_REALTIME",
    "TOPICS_BACKFILL",
    "KAFKA_PASS_HEADERS",
    "KAFKA_REPLY_TOPICS",
    "AUDIT_KNOWN_LOSSES",
  ],
  ...["SOLANA_RPC_URL", "TRON_RPC_URL"],
]);

const secrets = new Set<string>(secretSettings);

export function isSecret(name: string): boolean {
  return secrets.has(name);
}

export function isList(name: string): boolean {
  return listSettings.has(name);
}

/** The two names of a secret: for its value, and for a file with its value. Any other setting has one name. */
export function namesOf(name: string): readonly string[] {
  const own = name.replace(/_FILE$/, "");
  return isSecret(own) ? [own, `${own}_FILE`] : [name];
}
