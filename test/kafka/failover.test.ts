import type { Kafka } from "kafkajs";
import { expect } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce } from "../servers/records.ts";
import { eventually } from "../support/eventually.ts";

interface Partition {
  readonly leader: number;
  readonly isr: readonly number[];
}

/**
 * The cluster's report about the topic's only partition. The leader is -1 while there is none or the cluster does not
 * answer.
 */
async function partitionOf(kafka: Kafka, topic: string): Promise<Partition> {
  const admin = kafka.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions[0] ?? { leader: -1, isr: [] };
  } catch {
    return { leader: -1, isr: [] };
  } finally {
    await admin.disconnect();
  }
}

const cluster = ownBrokers(() => startKafka({ brokers: 3 }));

/** A topic with a replica on each broker. All brokers run and are in sync. */
async function replicatedTopic() {
  await Promise.all(cluster().nodes.map((node) => node.start()));
  const kafka = kafkaClient({ brokers: cluster().bootstrap, clientId: "weir-test" }, quietLog);
  const topic = await createTopic(kafka);
  const partition = () => partitionOf(kafka, topic);
  const { leader } = await eventually(partition, ({ isr }) => isr.length === 3, "all three replicas");
  const leading = cluster().nodes[leader - 1];
  if (leading === undefined) throw new Error(`no broker ${leader}`);
  return { kafka, topic, partition, leader, leading };
}

clusterTest("a leader that is killed gives way to another, and no acknowledged record is lost", async () => {
  const { kafka, topic, partition, leader, leading } = await replicatedTopic();
  await produce(kafka, topic, ["before"]);

  await leading.kill();
  const next = await eventually(partition, (now) => now.leader > 0 && now.leader !== leader, "another leader");
  await produce(kafka, topic, ["after"]);

  expect(next.isr).not.toContain(leader);
  expect(await consume(kafka, topic, 2)).toEqual(["before", "after"]);

  await leading.start();
  await eventually(partition, ({ isr }) => isr.length === 3, "the killed broker back in sync");
});

clusterTest("a leader that is stopped hands over at once", async () => {
  const { kafka, topic, partition, leader, leading } = await replicatedTopic();
  await produce(kafka, topic, ["before"]);

  await leading.stop();

  const next = await partition();
  expect(next.leader).not.toBe(leader);
  expect(await consume(kafka, topic, 1)).toEqual(["before"]);
});
