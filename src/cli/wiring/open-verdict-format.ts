import { type RegistryHttp, RegistryRefusedError } from "../../adapters/schema-registry/registry-http.ts";
import type { VerdictFormat } from "../../adapters/schema-registry/verdicts/verdict-formats.ts";
import {
  framedEncoder,
  registerVerdictSchema,
  type VerdictSubject,
  verdictSchemaId,
} from "../../adapters/schema-registry/verdicts/verdict-subject.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError, ConfigInvalidError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../kernel/retry.ts";
import type { VerdictEncoder } from "../../worker/ports.ts";
import { registeredVerdictSchema } from "../config/docs/json-schemas.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";
import type { RegistrySettings } from "../config/registry-settings.ts";
import { registryHttp } from "./open-registry.ts";

type Format = Exclude<VerdictFormat, "json">;

export interface FormattedTopic {
  readonly topic: string;
  readonly encoder: VerdictEncoder;
}

/** The schema of formatted verdicts, and the settings by which it is registered. */
export interface FormattedVerdicts {
  readonly format: Format;
  readonly topic: string;
  readonly registry: RegistrySettings;
  readonly subject: VerdictSubject;
}

interface Deps {
  readonly clock: Pick<Clock, "sleep">;
  readonly random: Random;
  readonly log: Pick<Log, "warn">;
  readonly signal: AbortSignal;
}

const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 15_000 };

/** Undefined where verdicts are written as JSON only. @throws {ConfigInvalidError} where the registry is missing. */
export async function formattedVerdicts(
  format: VerdictFormat,
  { topics }: Pick<KafkaSettings, "topics">,
  registry: RegistrySettings | undefined,
): Promise<FormattedVerdicts | undefined> {
  const { formatted: topic } = topics;
  if (format === "json" || topic === undefined) return undefined;
  const found = registryOfVerdicts(format, registry);
  return { format, topic, registry: found, subject: { subject: `${topic}-value`, ...(await schemaOf(format)) } };
}

/** The registry for a format of verdicts. @throws {ConfigInvalidError} where it is missing, or has another interface. */
export function registryOfVerdicts(format: Format, registry: RegistrySettings | undefined): RegistrySettings {
  if (registry === undefined)
    throw new ConfigInvalidError(`bad settings: VERDICT_FORMAT ${format} needs SCHEMA_REGISTRY_URL`);
  if (registry.api === "confluent") return registry;
  const what = "needs SCHEMA_REGISTRY_API=confluent, which Apicurio serves at /apis/ccompat/v7";
  throw new ConfigInvalidError(`bad settings: VERDICT_FORMAT ${format} ${what}`);
}

async function schemaOf(format: Format): Promise<Pick<VerdictSubject, "schema" | "schemaType">> {
  if (format === "json-schema") return { schemaType: "JSON", schema: JSON.stringify(registeredVerdictSchema()) };
  const { verdictAvroSchema } = await import("../../adapters/schema-registry/verdicts/verdict-avro-schema.ts");
  return { schemaType: "AVRO", schema: JSON.stringify(verdictAvroSchema) };
}

/**
 * Finds or registers the schema of verdicts, and waits for a registry that is down.
 *
 * @throws {ConfigInvalidError} for a schema that is missing, or not compatible with those before.
 */
export async function openVerdictFormat(
  { format, topic, registry, subject }: FormattedVerdicts,
  isRegistered: boolean,
  deps: Deps,
): Promise<FormattedTopic> {
  const http = registryHttp(registry);
  try {
    const id = await untilAnswered(() => idOf(http, subject, isRegistered, deps.signal), deps);
    if (format === "json-schema") return { topic, encoder: framedEncoder(id, (_, json) => json) };
    const { VerdictAvro } = await import("../../adapters/schema-registry/verdicts/verdict-avro.ts");
    const writer = new VerdictAvro();
    return { topic, encoder: framedEncoder(id, (verdict) => writer.encode(verdict)) };
  } finally {
    await http.close();
  }
}

async function idOf(http: RegistryHttp, subject: VerdictSubject, isRegistered: boolean, signal: AbortSignal) {
  const id = await verdictSchemaId(http, subject, signal);
  if (id !== undefined) return id;
  const what = `the registry lacks the schema of verdicts under ${subject.subject}`;
  if (!isRegistered)
    throw new ConfigInvalidError(`${what}: run weir doctor --create, or set SCHEMA_REGISTRY_AUTO_REGISTER=true`);
  try {
    return await registerVerdictSchema(http, subject, signal);
  } catch (thrown) {
    if (!(thrown instanceof RegistryRefusedError)) throw thrown;
    throw new ConfigInvalidError(
      `the schema of verdicts under ${subject.subject} ${thrown.message}: name another topic in TOPIC_VERDICTS_FORMATTED`,
    );
  }
}

async function untilAnswered<T>(ask: () => Promise<T>, { clock, random, log, signal }: Deps): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof AppError) || thrown instanceof ConfigInvalidError) throw thrown;
      const reason = thrown.message;
      log.warn("the schema registry gives no id for the schema of verdicts: the worker waits", { reason, attempt });
      await clock.sleep(backoffMs(RETRY, attempt, random), signal);
    }
  }
}
