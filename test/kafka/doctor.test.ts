import kafkajs from "kafkajs";
import { expect } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { freshName } from "../servers/records.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const kafka = kafkaClient({ brokers: sharedBootstrap, clientId: "weir-test" }, quietLog);
const TIMEOUT_MS = 120_000;

/** Lines that begin so. */
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
