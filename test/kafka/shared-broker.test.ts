import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce, quiet } from "../servers/records.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });

brokerTest("what was produced on the shared broker is consumed, in order", async () => {
  const topic = await createTopic(kafka);
  const values = Array.from({ length: 100 }, (_, i) => `record ${i}`);

  await produce(kafka, topic, values);

  expect(await consume(kafka, topic, 100)).toEqual(values);
});
