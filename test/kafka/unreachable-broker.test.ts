import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { PartitionSender } from "../../src/adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { OrderedPublisher } from "../../src/worker/consumer/output/ordered-publisher.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { startProxy } from "../servers/fault-proxy.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest } from "../servers/kafka-tests.ts";
import { createTopic } from "../servers/records.ts";
import { readUntil } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";

clusterTest("what is published into a black hole is said to fail, and is durable, in order, once it ends", async () => {
  const proxies: Awaited<ReturnType<typeof startProxy>>[] = [];
  const cluster = await startKafka({
    brokers: 1,
    advertise: async (_, realPort) => {
      const proxy = await startProxy({ target: { host: "127.0.0.1", port: realPort } });
      proxies.push(proxy);
      return proxy.port;
    },
  });
  onTestFinished(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await cluster.close();
  });
  const [proxy] = proxies;
  expect(cluster.bootstrap).toEqual([`127.0.0.1:${proxy?.port}`]);
  const connection = { brokers: cluster.bootstrap, clientId: "weir-test" };
  const kafka = kafkaClient(connection, quietLog);
  const topic = await createTopic(kafka);
  const log = new FakeLog();
  const impatient = kafkaClient(connection, quietLog, { requestTimeout: 1_000 });
  const sender = new PartitionSender({ kafka: impatient, clock: systemClock, log, partitions: new Map([[topic, 1]]) });
  const ending = new AbortController();
  onTestFinished(async () => {
    ending.abort();
    await sender.stop();
  });
  await sender.start();
  const waits = { clock: systemClock, random: Math.random, log, signal: ending.signal };
  const publisher = new OrderedPublisher({ sender, ...waits, maxBytes: 1_000_000, maxRecordBytes: 1_000_000 });
  const publish = (value: string) =>
    publisher.publish({ topic, key: "key", value: Buffer.from(value), headers: { name: value } });
  await publish("before");

  await proxy?.set({ mode: "blackHole" });
  const during = [publish("one"), publish("two")];
  const reason = await eventually(
    () => publisher.obstacle,
    (obstacle) => obstacle !== undefined,
    "an obstacle",
  );
  expect(reason).toMatch(new RegExp(`^writing to ${topic}/0 fails: `));
  await proxy?.set({ mode: "pass" });
  await Promise.all([...during, publish("after")]);

  expect(publisher.obstacle).toBeUndefined();
  const read = await readUntil(kafka, topic, (records) => records.at(-1)?.value === "after", "the last record");
  // A send that may have failed is repeated. A record may occur twice, but none is lost or out of order.
  const distinct = read.map(({ value }) => value).filter((value, i, all) => value !== all[i - 1]);
  expect(distinct.filter((value, i) => distinct.indexOf(value) === i)).toEqual(["before", "one", "two", "after"]);
});
