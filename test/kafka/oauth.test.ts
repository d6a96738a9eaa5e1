import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { readEnv } from "../../src/cli/config/config.ts";
import { KafkaEnv } from "../../src/cli/config/env/kafka-env.ts";
import { kafkaSettings } from "../../src/cli/config/kafka-settings.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { consume, createTopic } from "../servers/records.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, listen, type Received } from "../support/http-server.ts";
import { served } from "../support/served.ts";
import { ShownSecrets } from "../support/shown-secrets.ts";
import { start } from "../support/weir.ts";

/** Kafka's own validator for tests: it accepts unsigned tokens, and checks their times. */
const validator = {
  "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT,PLAIN:SASL_PLAINTEXT",
  "sasl.enabled.mechanisms": "OAUTHBEARER",
  "listener.name.plain.oauthbearer.sasl.jaas.config":
    'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
  // A connection lasts as long as its token.
  "connections.max.reauth.ms": "3600000",
};
const cluster = ownBrokers(() => startKafka({ brokers: 1, properties: validator }));
const TIMEOUT_MS = 120_000;

function tokenFor(seconds: number): string {
  const iat = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ sub: "weir", iat, exp: iat + seconds })}.`;
}

/** An authorization server that issues tokens valid for `seconds`. */
async function endpoint(seconds: number) {
  const received: Received[] = [];
  const answer = () => JSON.stringify({ access_token: tokenFor(seconds), expires_in: seconds, token_type: "Bearer" });
  const url = await listen(answering((_, response) => response.end(answer()), received));
  const env = {
    KAFKA_BROKERS: cluster().bootstrap.join(","),
    KAFKA_SASL_MECHANISM: "OAUTHBEARER",
    KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: `${url}/token`,
    KAFKA_SASL_OAUTHBEARER_CLIENT_ID: "weir",
    KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: "certainly-secret",
  };
  return { received, env };
}

async function clientOf(env: Readonly<Record<string, string>>) {
  return kafkaClient((await kafkaSettings(readEnv(KafkaEnv, env))).connection, quietLog);
}

clusterTest(
  "a connection outlives its token: another one is fetched before the first expires",
  async () => {
    const { received, env } = await endpoint(20);
    const kafka = await clientOf(env);
    const topic = await createTopic(kafka);
    const producer = kafka.producer({ retry: { retries: 0 } });
    const connects: string[] = [];
    producer.on(producer.events.CONNECT, () => void connects.push("connect"));
    await producer.connect();
    const send = (value: string) => producer.send({ topic, acks: -1, messages: [{ value, partition: 0 }] });
    await send("first");
    const asked = received.length;
    for (let i = 0; i < 12; i++) {
      await setTimeout(2_000);
      await send(`after ${i}`);
    }
    await producer.disconnect();

    expect(asked).toBe(1);
    expect(received.length).toBeGreaterThan(1);
    expect(connects).toEqual(["connect"]);
    expect(received[0]).toMatchObject({ method: "POST", url: "/token", body: "grant_type=client_credentials" });
    expect(await consume(kafka, topic, 13)).toHaveLength(13);
  },
  TIMEOUT_MS,
);

clusterTest(
  "a worker and the doctor get in by a token; a token that the broker refuses is told of, and never shown",
  async () => {
    const { env: oauth } = await endpoint(3_600);
    const kafka = await clientOf(oauth);
    const topics = await weirTopics(kafka, cluster().bootstrap);
    const env = { ...topics.env, ...(await served()), ...oauth };

    const healthy = await start(["doctor"], env).ended;
    expect([healthy.status, healthy.stdout.match(/FAIL/)]).toEqual([0, null]);
    const worker = start(["worker"], env);
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: topics.live, acks: -1, messages: [{ value: "{" }] });
    await producer.disconnect();
    await readUntil(kafka, topics.verdicts, ({ length }) => length === 1, "a verdict");
    worker.child.kill("SIGTERM");
    const ended = await worker.ended;
    expect(ended.status).toBe(0);

    const file = path.join(await emptyFolder(), "token");
    await writeFile(file, tokenFor(-3_600));
    const { KAFKA_BROKERS, KAFKA_SASL_MECHANISM } = oauth;
    const byFile = { KAFKA_BROKERS, KAFKA_SASL_MECHANISM, KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: file };
    const expired = await start(["doctor"], { ...topics.env, ...(await served()), ...byFile }).ended;
    expect(expired.status).toBe(1);
    expect(expired.stdout).toMatch(/FAIL .*the broker refuses the SASL credentials of this client/);
    const said = [healthy, ended, expired].map(({ stdout, stderr }) => stdout + stderr).join("");
    for (const each of [env, byFile]) expect(new ShownSecrets(each).in(said)).toEqual([]);
    expect(said).not.toContain("certainly-secret");
  },
  TIMEOUT_MS,
);
