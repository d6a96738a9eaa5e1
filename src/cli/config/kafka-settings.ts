import { isLoopback, isLoopbackName } from "../../adapters/http/connection/refused-address.ts";
import type { KafkaConnection, KafkaSasl, KafkaTls } from "../../adapters/kafka/client/client-config.ts";
import { purposesOf, retryTopicsOf, type Topics } from "../../adapters/kafka/topics/topics.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Secret } from "../../kernel/secret.ts";
import type { KafkaConfig } from "./config.ts";
import type { InputKeyUse } from "./env/kafka-env.ts";
import { oauthOf, wrongOauth } from "./oauth-settings.ts";
import { contentOf, readTlsFiles, unusableFile } from "./tls-files.ts";

/** The settings of Kafka, after their combination is checked and their files are read. */
export interface KafkaSettings {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topics: Topics;
  readonly recordMaxBytes: number;
  readonly sessionTimeoutMs: number;
  /** Headers of input records that are copied to all records that follow from them. */
  readonly passedHeaders: readonly string[];
  readonly inputKey: InputKeyUse;
}

/** @throws {ConfigInvalidError} naming every conflict, and never printing a value. */
export async function kafkaSettings(config: KafkaConfig): Promise<KafkaSettings> {
  const topics = topicsOf(config);
  const wrong = [...wrongTopics(topics), ...wrongFormat(config), ...wrongTls(config), ...wrongSasl(config)];
  if (wrong.length > 0) throw new ConfigInvalidError(`bad settings: ${wrong.join("; ")}`);
  const tls = config.KAFKA_TLS ? await tlsOf(config) : undefined;
  const sasl = await saslOf(config);
  return {
    connection: {
      brokers: config.KAFKA_BROKERS,
      clientId: config.KAFKA_CLIENT_ID,
      ...(tls === undefined ? {} : { tls }),
      ...(sasl === undefined ? {} : { sasl }),
    },
    groupId: config.KAFKA_GROUP_ID,
    topics,
    recordMaxBytes: config.RECORD_MAX_BYTES,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT,
    passedHeaders: config.KAFKA_PASS_HEADERS,
    inputKey: config.KAFKA_INPUT_KEY_AS,
  };
}

/** Whether all brokers are on this machine, so that the traffic never leaves it. */
export function areBrokersHere(brokers: readonly string[]): boolean {
  return brokers.every((broker) => {
    const host = broker.slice(0, broker.lastIndexOf(":"));
    return isLoopback(host) || isLoopbackName(host);
  });
}

function topicsOf(config: KafkaConfig): Topics {
  return {
    realtime: config.TOPICS_REALTIME,
    backfill: config.TOPICS_BACKFILL,
    verdicts: config.TOPIC_VERDICTS,
    deadLetters: config.TOPIC_DEAD_LETTERS,
    retries: retryTopicsOf(config.TOPIC_RETRY_PREFIX),
    control: config.TOPIC_CONTROL,
    ...formattedTopic(config),
    ...(config.KAFKA_REPLY_TOPICS.length === 0 ? {} : { replies: config.KAFKA_REPLY_TOPICS }),
  };
}

function formattedTopic(config: KafkaConfig): Pick<Topics, "formatted"> {
  const { VERDICT_FORMAT: format, TOPIC_VERDICTS: verdicts, TOPIC_VERDICTS_FORMATTED: topic } = config;
  return format === "json" ? {} : { formatted: topic ?? `${verdicts}.${format}` };
}

function* wrongFormat(config: KafkaConfig): Iterable<string> {
  if (config.VERDICT_FORMAT === "json" && config.TOPIC_VERDICTS_FORMATTED !== undefined)
    yield "TOPIC_VERDICTS_FORMATTED is set, and VERDICT_FORMAT is json";
}

function* wrongTopics(topics: Topics): Iterable<string> {
  if (topics.realtime.length + topics.backfill.length === 0) {
    yield "TOPICS_REALTIME and TOPICS_BACKFILL name no topic: one of them must";
  }
  const names = purposesOf(topics).map(([topic]) => topic);
  // A verdict that is read as an event would be screened, written, and read again, without end.
  if (new Set(names).size < names.length) {
    yield "one topic is named twice among TOPICS_REALTIME, TOPICS_BACKFILL, TOPIC_VERDICTS, TOPIC_DEAD_LETTERS, the retry topics, TOPIC_CONTROL, TOPIC_VERDICTS_FORMATTED and KAFKA_REPLY_TOPICS: each needs its own";
  }
  if (Object.values(topics.retries).some((topic) => topic.length > 249)) {
    yield "TOPIC_RETRY_PREFIX must leave room for .10s within 249 characters";
  }
}

function* wrongTls(config: KafkaConfig): Iterable<string> {
  const files = ["KAFKA_TLS_CA_FILE", "KAFKA_TLS_CERT_FILE", "KAFKA_TLS_KEY_FILE"] as const;
  for (const name of files) {
    if (config[name] !== undefined && !config.KAFKA_TLS) yield `${name} is set, and KAFKA_TLS is not true`;
  }
  const [, cert, key] = files;
  if ((config[cert] === undefined) !== (config[key] === undefined)) yield `${cert} and ${key} need each other`;
}

function* wrongSasl(config: KafkaConfig): Iterable<string> {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_AWS_REGION: region } = config;
  const { KAFKA_SASL_PASSWORD: password, KAFKA_SASL_PASSWORD_FILE: passwordFile } = config;
  const hasPassword = password !== undefined || passwordFile !== undefined;
  if (password !== undefined && passwordFile !== undefined) {
    yield "KAFKA_SASL_PASSWORD and KAFKA_SASL_PASSWORD_FILE are both set: unset one of them";
  }
  if (region !== undefined && mechanism !== "aws-msk-iam") {
    yield "KAFKA_AWS_REGION is set, and KAFKA_SASL_MECHANISM is not aws-msk-iam";
  }
  yield* wrongOauth(config);
  if (mechanism === undefined || mechanism === "aws-msk-iam" || mechanism === "oauthbearer") {
    if (username !== undefined || hasPassword) {
      const why = mechanism === undefined ? "is not set" : `is ${mechanism}, which has none`;
      yield `a user name or password for SASL is set, and KAFKA_SASL_MECHANISM ${why}`;
    }
    if (mechanism === "aws-msk-iam" && region === undefined)
      yield "KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_AWS_REGION";
    if (mechanism === "aws-msk-iam" && !config.KAFKA_TLS) yield "KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_TLS=true";
    if (mechanism === "oauthbearer") yield* wrongPlaintext(config, mechanism, "token");
    return;
  }
  if (username === undefined) yield `KAFKA_SASL_MECHANISM ${mechanism} needs KAFKA_SASL_USERNAME`;
  if (!hasPassword) {
    yield `KAFKA_SASL_MECHANISM ${mechanism} needs KAFKA_SASL_PASSWORD, or a file that KAFKA_SASL_PASSWORD_FILE names`;
  }
  yield* wrongPlaintext(config, mechanism, "password");
}

function* wrongPlaintext(config: KafkaConfig, mechanism: string, secret: string): Iterable<string> {
  if (config.KAFKA_TLS || config.KAFKA_ALLOW_PLAINTEXT || areBrokersHere(config.KAFKA_BROKERS)) return;
  yield `KAFKA_SASL_MECHANISM ${mechanism} without TLS lets the network learn or guess the ${secret}: set KAFKA_TLS=true, or KAFKA_ALLOW_PLAINTEXT=true where that is meant`;
}

function tlsOf(config: KafkaConfig): Promise<KafkaTls> {
  const named = (setting: "KAFKA_TLS_CA_FILE" | "KAFKA_TLS_CERT_FILE" | "KAFKA_TLS_KEY_FILE") => ({
    setting,
    file: config[setting],
  });
  return readTlsFiles({
    ca: named("KAFKA_TLS_CA_FILE"),
    cert: named("KAFKA_TLS_CERT_FILE"),
    key: named("KAFKA_TLS_KEY_FILE"),
  });
}

async function saslOf(config: KafkaConfig): Promise<KafkaSasl | undefined> {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username = "", KAFKA_AWS_REGION: region = "" } = config;
  if (mechanism === undefined) return undefined;
  if (mechanism === "aws-msk-iam") return { mechanism, region };
  if (mechanism === "oauthbearer") return { mechanism, token: await oauthOf(config) };
  const { KAFKA_SASL_PASSWORD: given, KAFKA_SASL_PASSWORD_FILE: file } = config;
  // The line end that an editor leaves is no part of a password; blanks may be.
  const kept = await contentOf({ setting: "KAFKA_SASL_PASSWORD_FILE", file });
  const password = kept?.replace(/\r?\n$/, "") ?? given;
  if (password === undefined || password === "") throw unusableFile("KAFKA_SASL_PASSWORD_FILE", "it is empty");
  return { mechanism, username, password: new Secret(password) };
}
