import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { KafkaConnection } from "../../src/adapters/kafka/client/client-config.ts";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import type { Listener } from "../servers/kafka-properties.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce } from "../servers/records.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { emptyFolder } from "../support/folder.ts";
import { SERVICE_KEY, served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const cluster = ownBrokers(() => startKafka({ brokers: 1, security: true }));

type Credentials = Pick<KafkaConnection, "tls" | "sasl">;

const TIMEOUT_MS = 120_000;

function clientOf(listener: Listener, credentials: Credentials, patience: Parameters<typeof kafkaClient>[2] = {}) {
  const brokers = cluster().bootstrapOf(listener);
  return kafkaClient({ brokers, clientId: "weir-test", ...credentials }, quietLog, patience);
}

const serverOnly = () => ({ ca: cluster().certificates.ca });
const bothSides = () => {
  const { cert, key } = cluster().certificates.client;
  return { ...serverOnly(), identity: { cert, key: new Secret(key) } };
};
const saslOf = (mechanism: "plain" | "scram-sha-256" | "scram-sha-512", password = cluster().user.password) => ({
  sasl: { mechanism, username: cluster().user.username, password: new Secret(password) },
});

const accepted: readonly [string, Listener, () => Credentials][] = [
  ["SASL PLAIN", "SASL", () => saslOf("plain")],
  ["SASL SCRAM-SHA-256", "SASL", () => saslOf("scram-sha-256")],
  ["SASL SCRAM-SHA-512", "SASL", () => saslOf("scram-sha-512")],
  ["SCRAM over TLS", "SASLTLS", () => ({ tls: serverOnly(), ...saslOf("scram-sha-512") })],
  ["TLS", "TLS", () => ({ tls: serverOnly() })],
  ["TLS with a client's certificate", "MTLS", () => ({ tls: bothSides() })],
];

clusterTest.for(accepted)("%s is let in", async ([, listener, credentials]) => {
  const kafka = clientOf(listener, credentials());
  const topic = await createTopic(kafka);

  await produce(kafka, topic, ["secret"]);

  expect(await consume(kafka, topic, 1)).toEqual(["secret"]);
});

const refused: readonly [string, Listener, () => Credentials, RegExp][] = [
  ["a wrong password by PLAIN", "SASL", () => saslOf("plain", "wrong"), /Invalid username or password/],
  ["a wrong password by SCRAM", "SASL", () => saslOf("scram-sha-512", "wrong"), /invalid credentials/],
  ["no password", "SASL", () => ({}), /Closed connection/],
  ["a broker of an unknown authority", "TLS", () => ({ tls: {} }), /unable to verify the first certificate/],
  ["no client's certificate", "MTLS", () => ({ tls: serverOnly() }), /alert (bad certificate|certificate required)/],
];

clusterTest.for(refused)("%s is refused", async ([, listener, credentials, message]) => {
  const admin = clientOf(listener, credentials(), { retry: { retries: 0 } }).admin();

  await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow(message);

  await admin.disconnect();
});

clusterTest(
  "a worker and the doctor get in by what the environment says, and a wrong password is named, not shown",
  async () => {
    const credentials = { tls: serverOnly(), ...saslOf("scram-sha-512") };
    const kafka = clientOf("SASLTLS", credentials);
    const brokers = cluster().bootstrapOf("SASLTLS");
    const topics = await weirTopics(kafka, brokers);
    const folder = await emptyFolder();
    const caFile = path.join(folder, "ca.pem");
    await writeFile(caFile, cluster().certificates.ca);
    const env = {
      ...topics.env,
      ...(await served()),
      KAFKA_TLS: "true",
      KAFKA_TLS_CA_FILE: caFile,
      KAFKA_SASL_MECHANISM: "scram-sha-512",
      KAFKA_SASL_USERNAME: cluster().user.username,
      KAFKA_SASL_PASSWORD: cluster().user.password,
    };

    const healthy = await start(["doctor"], env).ended;
    expect([healthy.status, healthy.stdout.match(/FAIL/)]).toEqual([0, null]);
    const refusal = await start(["doctor"], { ...env, KAFKA_SASL_PASSWORD: "certainly-wrong" }).ended;
    expect(refusal.status).toBe(1);
    expect(refusal.stdout).toMatch(/FAIL .*KAFKA_SASL/);

    const worker = start(["worker"], env);
    await produce(kafka, topics.live, ["{"]);
    await readUntil(kafka, topics.verdicts, ({ length }) => length === 1, "a verdict");
    worker.child.kill("SIGTERM");
    const ended = await worker.ended;
    expect(ended.status).toBe(0);
    const said = [healthy, refusal, ended].map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const secret of [cluster().user.password, "certainly-wrong", SERVICE_KEY]) expect(said).not.toContain(secret);
  },
  TIMEOUT_MS,
);
