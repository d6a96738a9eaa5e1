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
const count = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be a whole number of at least 1 and at most nine digits")
    .transform(Number)
    .prefault(String(fallback));
const quota = z
  .string()
  .regex(/^[1-9]\d*\/[1-9]\d*(ms|s|min)$/, "must look like 50/1s or 600/1min")
  .transform((text) => {
    const [requests = "", window = ""] = text.split("/");
    const unitMs = window.endsWith("ms") ? 1 : window.endsWith("min") ? 60_000 : 1_000;
    return { requests: Number(requests), windowMs: Number.parseInt(window, 10) * unitMs };
  });

const duration = (fallback: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}(ms|s|min)$/, "must look like 500ms, 30s or 2min")
    .transform((text) => Number.parseInt(text, 10) * (text.endsWith("ms") ? 1 : text.endsWith("min") ? 60_000 : 1_000))
    .prefault(fallback);

const shared = {
  LOG_LEVEL: z.enum(logLevels).default("info").describe("what is logged, as JSON lines"),
};

/** `weir serve`. */
export const ServeEnv = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("address to listen on"),
  PORT: z
    .string()
    .regex(/^\d+$/, "must be a port number")
    .transform(Number)
    .pipe(z.number().max(65_535))
    .prefault("8080")
    .describe("port to listen on; 0 takes a free one"),
  SERVICE_API_KEYS: list.optional().describe("keys that clients may use, comma-separated"),
  SERVICE_API_KEYS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file with one key a line, in place of SERVICE_API_KEYS"),
  SERVICE_RATE_LIMIT: quota.optional().describe("requests a key may make, e.g. `50/1s`; empty = unlimited"),
  LABELS_FILES: list.prefault("").describe("CSV or JSON files of labels, comma-separated; reloaded when they change"),
  ...shared,
});

/** `weir screen`. */
export const ScreenEnv = z.object({
  SERVICE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("security service, https but on this machine; empty = an embedded one"),
  SERVICE_ALLOW_HTTP: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .describe("`true` lets SERVICE_URL be http beyond this machine, where others may listen in"),
  SERVICE_API_KEY: z.string().min(1).optional().describe("key for SERVICE_URL"),
  SERVICE_API_KEY_FILE: z.string().min(1).optional().describe("file that holds the key, in place of SERVICE_API_KEY"),
  SERVICE_CONCURRENCY: count(32).describe("requests on the wire at once"),
  SERVICE_TIMEOUT_MS: count(10_000).describe("longest wait for one answer, milliseconds"),
  SERVICE_QUOTA: quota
    .optional()
    .describe("requests that the key may make, e.g. `50/1s`; empty = as fast as it answers"),
  SOLANA_GROUP_MAX: count(8).describe("most Solana transactions in one simulation request"),
  SERVICE_PATIENCE: duration("30s").describe("how long a service may be down before the run stops"),
  DECISION_DEADLINE: duration("30s").describe(
    "how long a realtime event waits, before it is UNKNOWN for the time being",
  ),
  POLICY_FILE: z.string().min(1).optional().describe("policy file; empty = data/policy.json"),
  LABELS_FILES: list.prefault("").describe("label files of the embedded service"),
  ...shared,
});

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
