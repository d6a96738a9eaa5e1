import type { ConnectionOptions } from "node:tls";
import kafkajs, {
  type KafkaConfig,
  type LogEntry,
  type Mechanism,
  type OauthbearerProviderResponse,
  type SASLOptions,
} from "kafkajs";
import type { Log } from "../../../kernel/log.ts";
import type { Secret } from "../../../kernel/secret.ts";
import { oauthMechanism } from "./oauth-mechanism.ts";

/** Certificates and keys as PEM text. */
export interface KafkaTls {
  /** Certificate authorities that replace the public ones. */
  readonly ca?: string;
  /** The client certificate and its key. */
  readonly identity?: { readonly cert: string; readonly key: Secret };
}

export type KafkaSasl =
  | {
      readonly mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
      readonly username: string;
      readonly password: Secret;
    }
  | { readonly mechanism: "aws-msk-iam"; readonly region: string }
  | { readonly mechanism: "oauthbearer"; readonly token: () => Promise<OauthbearerProviderResponse> };

/** The addresses of the brokers, and the credentials of this client. */
export interface KafkaConnection {
  /** As host:port. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly tls?: KafkaTls;
  readonly sasl?: KafkaSasl;
}

/** kafkajs waits one second for a connection by default, which is too short for a broker that starts. */
const timeouts = { connectionTimeout: 10_000, authenticationTimeout: 10_000, requestTimeout: 30_000 };
/** Retries for half a minute. The wait between retries stays short, so a broker that returns is found soon. */
const retry = { initialRetryTime: 300, maxRetryTime: 3_000, retries: 12 };

/** The configuration of kafkajs. kafkajs creates no topic, and logs none of the configuration. */
export function clientConfig({ brokers, clientId, tls, sasl }: KafkaConnection, log: Log): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId,
    ...timeouts,
    retry,
    ...(tls === undefined ? {} : { ssl: sslOf(tls) }),
    ...(sasl === undefined ? {} : { sasl: saslOf(sasl) }),
    logLevel: kafkajs.logLevel.INFO,
    logCreator: () => (entry) => writeTo(log, entry),
  };
}

/**
 * kafkajs passes the host name to check. A variable that disables certificate checks in all of Node has no effect here.
 */
function sslOf({ ca, identity }: KafkaTls): ConnectionOptions {
  return {
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(ca === undefined ? {} : { ca }),
    ...(identity === undefined ? {} : { cert: identity.cert, key: identity.key.reveal() }),
  };
}

function saslOf(sasl: KafkaSasl): SASLOptions | Mechanism {
  if (sasl.mechanism === "aws-msk-iam") return oauthMechanism(() => mskToken(sasl.region));
  if (sasl.mechanism === "oauthbearer") return oauthMechanism(sasl.token);
  const byPassword: SASLOptions = {
    mechanism: sasl.mechanism,
    username: sasl.username,
    password: sasl.password.reveal(),
  };
  return byPassword;
}

/**
 * A token signed with the credentials that Amazon's SDK finds, valid for about 15 minutes. The SDK is loaded only for
 * this mechanism.
 */
async function mskToken(region: string): Promise<OauthbearerProviderResponse> {
  const { generateAuthToken } = await import("aws-msk-iam-sasl-signer-js");
  const { token } = await generateAuthToken({ region });
  return { value: token };
}

/** The fields of a kafkajs log line that may be logged: never a payload, and no field that a later version adds. */
const shownFields = [
  "broker",
  "clientId",
  "correlationId",
  "error",
  "groupId",
  "groupProtocol",
  "isLeader",
  "leaderId",
  "memberId",
  "offset",
  "partition",
  "retryCount",
  "retryTime",
  "topic",
];

/**
 * kafkajs retries most of its errors, so an error of kafkajs is a warning here. A failure that ends the process logs
 * its own error.
 */
function writeTo(log: Log, { namespace, level, log: line }: LogEntry): void {
  const shown = Object.entries(line).filter(([name, value]) => shownFields.includes(name) && !isObject(value));
  const fields = { part: namespace, ...Object.fromEntries(shown) };
  const message = `kafkajs: ${line.message}`;
  if (level === kafkajs.logLevel.DEBUG) log.debug(message, fields);
  else if (level === kafkajs.logLevel.INFO) log.info(message, fields);
  else log.warn(message, fields);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
