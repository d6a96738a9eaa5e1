import { Kafka } from "kafkajs";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { PartitionSender } from "../../src/adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { OrderedPublisher } from "../../src/worker/consumer/output/ordered-publisher.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { publisherSuite } from "../ports/publisher-suite.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, quiet } from "../servers/records.ts";
import { readUntil } from "../servers/weir-topics.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const PARTITIONS = 3;

publisherSuite(
  "the publisher to a broker of Kafka's",
  async ({ maxRecordBytes }) => {
    const topic = await createTopic(kafka, { partitions: PARTITIONS });
    const admin = kafka.admin();
    await admin.connect();
    const log = new FakeLog();
    const sender = new PartitionSender({
      kafka: kafkaClient({ brokers: sharedBootstrap, clientId: "weir-test" }, log),
      clock: systemClock,
      log,
      partitions: new Map([[topic, PARTITIONS]]),
    });
    await sender.start();
    const closing = new AbortController();
    const count = async () => {
      const ends = await admin.fetchTopicOffsets(topic);
      return ends.reduce((sum, { high }) => sum + Number(high), 0);
    };
    return {
      topic,
      publisher: new OrderedPublisher({
        sender,
        clock: systemClock,
        random: Math.random,
        log,
        maxBytes: maxRecordBytes,
        maxRecordBytes,
        signal: closing.signal,
      }),
      abort: (reason) => closing.abort(reason),
      count,
      written: async () => {
        const held = await count();
        const records = await readUntil(kafka, topic, ({ length }) => length >= held, `${held} records`);
        return records.map(({ key, value, headers }) => ({ key, value, headers }));
      },
      close: async () => {
        closing.abort();
        await sender.stop();
        await admin.disconnect();
      },
    };
  },
  brokerTest,
);
