import { Kafka, type KafkaConfig } from "kafkajs";
import { afterAll, beforeAll, expect } from "vitest";
import { type SecureKafkaCluster, startKafka } from "../servers/kafka-cluster.ts";
import type { Listener } from "../servers/kafka-properties.ts";
import { clusterTest, startsOwnBrokers } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce, quiet } from "../servers/records.ts";

let cluster: SecureKafkaCluster;

beforeAll(async () => {
  if (startsOwnBrokers) cluster = await startKafka({ brokers: 1, security: true });
}, 120_000);
afterAll(() => cluster?.close());

type Credentials = Pick<KafkaConfig, "ssl" | "sasl">;

function clientOf(listener: Listener, credentials: Credentials, options: Pick<KafkaConfig, "retry"> = {}): Kafka {
  return new Kafka({ ...quiet, brokers: [...cluster.bootstrapOf(listener)], ...credentials, ...options });
}

const serverOnly = () => ({ ca: cluster.certificates.ca });
const bothSides = () => ({ ...serverOnly(), ...cluster.certificates.client });

const accepted: readonly [string, Listener, () => Credentials][] = [
  ["SASL PLAIN", "SASL", () => ({ sasl: { mechanism: "plain", ...cluster.user } })],
  ["SASL SCRAM-SHA-256", "SASL", () => ({ sasl: { mechanism: "scram-sha-256", ...cluster.user } })],
  ["SASL SCRAM-SHA-512", "SASL", () => ({ sasl: { mechanism: "scram-sha-512", ...cluster.user } })],
  ["SCRAM over TLS", "SASLTLS", () => ({ ssl: serverOnly(), sasl: { mechanism: "scram-sha-512", ...cluster.user } })],
  ["TLS", "TLS", () => ({ ssl: serverOnly() })],
  ["TLS with a client's certificate", "MTLS", () => ({ ssl: bothSides() })],
];

clusterTest.for(accepted)("%s is let in", async ([, listener, credentials]) => {
  const kafka = clientOf(listener, credentials());
  const topic = await createTopic(kafka);

  await produce(kafka, topic, ["secret"]);

  expect(await consume(kafka, topic, 1)).toEqual(["secret"]);
});

const wrong = () => ({ ...cluster.user, password: "wrong" });

const refused: readonly [string, Listener, () => Credentials, RegExp][] = [
  [
    "a wrong password by PLAIN",
    "SASL",
    () => ({ sasl: { mechanism: "plain", ...wrong() } }),
    /Invalid username or password/,
  ],
  [
    "a wrong password by SCRAM",
    "SASL",
    () => ({ sasl: { mechanism: "scram-sha-512", ...wrong() } }),
    /invalid credentials/,
  ],
  ["no password", "SASL", () => ({}), /Closed connection/],
  ["a broker of an unknown authority", "TLS", () => ({ ssl: true }), /unable to verify the first certificate/],
  ["no client's certificate", "MTLS", () => ({ ssl: serverOnly() }), /alert (bad certificate|certificate required)/],
];

clusterTest.for(refused)("%s is refused", async ([, listener, credentials, message]) => {
  const admin = clientOf(listener, credentials(), { retry: { retries: 0 } }).admin();

  await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow(message);

  await admin.disconnect();
});
