import kafkajs from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { createTopics } from "../servers/create-topics.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { brokerTest, clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { freshName, produce } from "../servers/records.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const kafka = kafkaClient({ brokers: sharedBootstrap, clientId: "weir-test" }, quietLog);
const TIMEOUT_MS = 120_000;

/** The lines with this beginning. */
const linesOf = (stdout: string, grade: string) => stdout.split("\n").filter((line) => line.startsWith(grade));

async function partitionsOf(topics: string[]): Promise<readonly number[]> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const found = (await admin.fetchTopicMetadata({ topics })).topics;
    return topics.map((topic) => found.find(({ name }) => name === topic)?.partitions.length ?? 0);
  } finally {
    await admin.disconnect();
  }
}

async function setOn(topic: string, name: string, value: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries: [{ name, value }] }],
    });
  } finally {
    await admin.disconnect();
  }
}

brokerTest(
  "the doctor names what is missing, creates it when told to, and sees what is made wrong later",
  async () => {
    const name = freshName("doctor");
    const env = {
      ...(await served()),
      KAFKA_BROKERS: sharedBootstrap.join(","),
      TOPICS_REALTIME: `${name}.events`,
      TOPICS_BACKFILL: `${name}.backfill`,
      TOPIC_VERDICTS: `${name}.verdicts`,
      TOPIC_DEAD_LETTERS: `${name}.dead-letters`,
      TOPIC_RETRY_PREFIX: `${name}.retry`,
      TOPIC_CONTROL: `${name}.control`,
    };

    const missing = await start(["doctor"], env).ended;
    expect(missing.status).toBe(1);
    expect(linesOf(missing.stdout, "FAIL").filter((line) => line.includes("does not exist"))).toHaveLength(8);

    const created = await start(["doctor", "--create", "--partitions", "3"], env).ended;
    expect([created.status, linesOf(created.stdout, "FAIL")]).toEqual([0, []]);
    const healthy = await start(["doctor"], env).ended;
    expect([healthy.status, linesOf(healthy.stdout, "FAIL")]).toEqual([0, []]);
    expect(await partitionsOf([`${name}.events`, `${name}.retry.1m`, `${name}.control`])).toEqual([3, 3, 1]);

    await setOn(`${name}.verdicts`, "max.message.bytes", "100000");
    const narrow = await start(["doctor"], env).ended;
    expect(narrow.status).toBe(1);
    expect(linesOf(narrow.stdout, "FAIL")).toHaveLength(1);
    expect(narrow.stdout).toContain(`set max.message.bytes of ${name}.verdicts to at least`);
    const worker = await start(["worker"], env).ended;
    expect(worker.status).toBe(1);
    expect(worker.stderr).toContain(`topic ${name}.verdicts (verdicts): max.message.bytes is 100000`);
  },
  TIMEOUT_MS,
);

brokerTest(
  "the doctor tells of records behind an open transaction",
  async () => {
    const name = freshName("doctor");
    const topic = `${name}.events`;
    await createTopics(kafka, [{ topic, numPartitions: 1 }]);
    const producer = kafka.producer({ transactionalId: name, maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, acks: -1, messages: [{ value: "a" }, { value: "b" }] });
    await produce(kafka, topic, ["c"]);
    const env = { ...(await served()), KAFKA_BROKERS: sharedBootstrap.join(","), TOPICS_REALTIME: topic };
    const said = async (more: Readonly<Record<string, string>> = {}) =>
      linesOf((await start(["doctor"], { ...env, ...more }).ended).stdout, "").join("\n");

    const open = await said({ KAFKA_SESSION_TIMEOUT: "30min" });
    expect(open).toMatch(
      new RegExp(`warn .*open transactions ${topic} .*3 records in 1 partition cannot be read: .* ${topic}/0/0 on`),
    );
    expect(open).toMatch(/ok .*session timeout.*1800000 ms, which the brokers take/i);
    await transaction.commit();
    await producer.disconnect();
    expect(await said()).toMatch(/ok .*open transactions.*none holds records back/i);
  },
  TIMEOUT_MS,
);

clusterTest(
  "the doctor warns of a session timeout that is longer than the brokers take",
  async () => {
    const cluster = await startKafka({ brokers: 1, properties: { "group.max.session.timeout.ms": "20000" } });
    onTestFinished(() => cluster.close());
    const env = { ...(await served()), KAFKA_BROKERS: cluster.bootstrap.join(",") };
    const said = async (timeout: string) =>
      (await start(["doctor"], { ...env, KAFKA_SESSION_TIMEOUT: timeout }).ended).stdout;

    expect(await said("30s")).toMatch(
      /^warn .*group\.max\.session\.timeout\.ms of broker 1 is 20000: no worker can join/m,
    );
    expect(await said("20s")).toMatch(/^ok .*session timeout .*20000 ms, which the brokers take/m);
  },
  TIMEOUT_MS,
);
