import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { isLoopback, isLoopbackName } from "../adapters/http/refused-address.ts";
import type { KafkaConnection, KafkaSasl, KafkaTls } from "../adapters/kafka/client-config.ts";
import { purposesOf, retryTopicsOf, type Topics } from "../adapters/kafka/topics.ts";
import { ConfigInvalidError, toError } from "../kernel/errors.ts";
import { Secret } from "../kernel/secret.ts";
import type { KafkaConfig } from "./config.ts";

/** The variables of Kafka, once they are found to fit together and their files are read. */
export interface KafkaSettings {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topics: Topics;
  readonly recordMaxBytes: number;
  readonly sessionTimeoutMs: number;
}

/** @throws {ConfigInvalidError} naming everything that does not fit together, and never printing a value. */
export async function kafkaSettings(config: KafkaConfig): Promise<KafkaSettings> {
  const topics = topicsOf(config);
  const wrong = [...wrongTopics(topics), ...wrongTls(config), ...wrongSasl(config)];
  if (wrong.length > 0) throw new ConfigInvalidError(`bad environment: ${wrong.join("; ")}`);
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
  };
}

/** Whether all brokers are on this machine, where nobody else listens in. */
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
  };
}

function* wrongTopics(topics: Topics): Iterable<string> {
  if (topics.realtime.length + topics.backfill.length === 0) {
    yield "TOPICS_REALTIME and TOPICS_BACKFILL name no topic: one of them must";
  }
  const names = purposesOf(topics).map(([topic]) => topic);
  // A verdict that is read as an event would be screened, and written, and read again.
  if (new Set(names).size < names.length) {
    yield "one topic is named twice among TOPICS_REALTIME, TOPICS_BACKFILL, TOPIC_VERDICTS, TOPIC_DEAD_LETTERS, the retry topics and TOPIC_CONTROL: each needs its own";
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
  if (mechanism === undefined || mechanism === "aws-msk-iam") {
    if (username !== undefined || hasPassword) {
      const why = mechanism === undefined ? "is not set" : "is aws-msk-iam, which has none";
      yield `a user name or password for SASL is set, and KAFKA_SASL_MECHANISM ${why}`;
    }
    if (mechanism === "aws-msk-iam" && region === undefined)
      yield "KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_AWS_REGION";
    if (mechanism === "aws-msk-iam" && !config.KAFKA_TLS) yield "KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_TLS=true";
    return;
  }
  if (username === undefined) yield `KAFKA_SASL_MECHANISM ${mechanism} needs KAFKA_SASL_USERNAME`;
  if (!hasPassword) {
    yield `KAFKA_SASL_MECHANISM ${mechanism} needs KAFKA_SASL_PASSWORD, or a file that KAFKA_SASL_PASSWORD_FILE names`;
  }
  if (!config.KAFKA_TLS && !config.KAFKA_ALLOW_PLAINTEXT && !areBrokersHere(config.KAFKA_BROKERS)) {
    yield `KAFKA_SASL_MECHANISM ${mechanism} without TLS lets the network learn or guess the password: set KAFKA_TLS=true, or KAFKA_ALLOW_PLAINTEXT=true where that is meant`;
  }
}

async function tlsOf(config: KafkaConfig): Promise<KafkaTls> {
  const { KAFKA_TLS_CA_FILE: caFile, KAFKA_TLS_CERT_FILE: certFile, KAFKA_TLS_KEY_FILE: keyFile } = config;
  const ca = caFile === undefined ? undefined : await contentOf("KAFKA_TLS_CA_FILE", caFile);
  if (ca !== undefined) tryOut("KAFKA_TLS_CA_FILE", { ca });
  if (ca !== undefined && !ca.includes("-----BEGIN CERTIFICATE-----"))
    throw unusable("KAFKA_TLS_CA_FILE", "it holds no PEM certificate");
  if (certFile === undefined || keyFile === undefined) return ca === undefined ? {} : { ca };
  const cert = await contentOf("KAFKA_TLS_CERT_FILE", certFile);
  const key = await contentOf("KAFKA_TLS_KEY_FILE", keyFile);
  tryOut("KAFKA_TLS_CERT_FILE", { cert });
  tryOut("KAFKA_TLS_KEY_FILE", { cert, key });
  return { ...(ca === undefined ? {} : { ca }), identity: { cert, key: new Secret(key) } };
}

/** OpenSSL's messages name what is wrong with a file, and nothing of what is in it. */
function tryOut(name: string, pem: { readonly ca?: string; readonly cert?: string; readonly key?: string }): void {
  try {
    createSecureContext(pem);
  } catch (thrown) {
    throw unusable(name, toError(thrown).message);
  }
}

function unusable(name: string, why: string): ConfigInvalidError {
  return new ConfigInvalidError(`${name} names a file that cannot be used: ${why}`);
}

async function saslOf(config: KafkaConfig): Promise<KafkaSasl | undefined> {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username = "", KAFKA_AWS_REGION: region = "" } = config;
  if (mechanism === undefined) return undefined;
  if (mechanism === "aws-msk-iam") return { mechanism, region };
  const { KAFKA_SASL_PASSWORD: given, KAFKA_SASL_PASSWORD_FILE: file } = config;
  // The line end that an editor leaves is no part of a password; blanks may be.
  const password =
    file === undefined ? given : (await contentOf("KAFKA_SASL_PASSWORD_FILE", file)).replace(/\r?\n$/, "");
  if (password === undefined || password === "") throw unusable("KAFKA_SASL_PASSWORD_FILE", "it is empty");
  return { mechanism, username, password: new Secret(password) };
}

async function contentOf(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`${name}: cannot read ${file}: ${toError(thrown).message}`);
  }
}
