import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { freshName, produce, quiet } from "../servers/records.ts";
import { weirTopics } from "../servers/weir-topics.ts";
import { evm } from "../support/poisoning-parts.ts";
import { run } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const event = (i: number) =>
  JSON.stringify({ type: "address", chain_id: "1", address: evm(i + 1), user_addresses: [evm(4_000)] });

brokerTest(
  "a topic's lag is planned: what the group has not committed, and nothing of it is moved",
  async () => {
    const topics = await weirTopics(kafka, sharedBootstrap);
    await produce(kafka, topics.bulk, [...Array.from({ length: 40 }, (_, i) => event(i)), "{"]);
    const plan = async () => {
      const { status, stdout, stderr } = await run(["plan", "--topic", topics.bulk, "--json"], topics.env);
      expect(status, stderr).toBe(0);
      return JSON.parse(stdout);
    };

    expect(await plan()).toMatchObject({ events: 41, unreadable: 1, asking: 40 });
    const admin = kafka.admin();
    await admin.connect();
    const groupId = topics.env["KAFKA_GROUP_ID"] ?? "";
    expect(await admin.fetchOffsets({ groupId: `${groupId}-plan`, topics: [topics.bulk] })).toEqual([
      { topic: topics.bulk, partitions: expect.arrayContaining([expect.objectContaining({ offset: "-1" })]) },
    ]);
    const ends = await admin.fetchTopicOffsets(topics.bulk);
    await admin.setOffsets({
      groupId,
      topic: topics.bulk,
      partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
    });
    await admin.disconnect();

    expect(await plan()).toMatchObject({ events: 0, requests: 0 });
    const { status, stderr } = await run(["plan", "--topic", "somebody-elses"], topics.env);
    expect([status, stderr]).toEqual([1, expect.stringContaining("--topic somebody-elses: workers read ")]);
  },
  120_000,
);

brokerTest(
  "what lies behind an open transaction is told and not planned, and is planned once the transaction ends",
  async () => {
    const topics = await weirTopics(kafka, sharedBootstrap, 1);
    const producer = kafka.producer({ transactionalId: freshName("tx"), maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    const transaction = await producer.transaction();
    const messages = [event(1), event(2)].map((value) => ({ value }));
    await transaction.send({ topic: topics.bulk, acks: -1, messages });
    await produce(kafka, topics.bulk, [event(3)]);
    const plan = async (...flags: readonly string[]) => {
      const { status, stdout, stderr } = await run(["plan", "--topic", topics.bulk, ...flags], topics.env);
      expect(status, stderr).toBe(0);
      return stdout;
    };

    expect(JSON.parse(await plan("--json"))).toMatchObject({ events: 0, behind_open_transactions: 3 });
    expect(await plan()).toContain("3 records lie behind an open transaction and cannot be read before it ends");
    await transaction.commit();
    await producer.disconnect();
    expect(JSON.parse(await plan("--json"))).toMatchObject({ events: 3, behind_open_transactions: 0 });
  },
  120_000,
);
