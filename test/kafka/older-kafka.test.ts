import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce, quiet } from "../servers/records.ts";

/** Maven may have to fetch it first. */
const TIMEOUT_MS = 300_000;

clusterTest(
  "what was produced on Kafka 3.9 is consumed",
  async () => {
    const cluster = await startKafka({ brokers: 1, version: "3.9.2" });
    onTestFinished(() => cluster.close());
    const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] });
    const topic = await createTopic(kafka);

    await produce(kafka, topic, ["one", "two"]);

    expect(await consume(kafka, topic, 2)).toEqual(["one", "two"]);
  },
  TIMEOUT_MS,
);
