import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { quiet } from "../servers/records.ts";
import { weirTopics } from "../servers/weir-topics.ts";
import { run } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });

brokerTest(
  "a run that is to share its quota does not begin without the control topic, and says what to do",
  async () => {
    const topics = await weirTopics(kafka, sharedBootstrap);
    const { status, stderr } = await run(["screen", "-", "--chain", "eth"], {
      ...topics.env,
      TOPIC_CONTROL: "no-such-topic",
      SERVICE_URL: "http://127.0.0.1:9",
      SERVICE_API_KEY: "k",
      SERVICE_QUOTA: "20/1s",
    });

    expect(status).toBe(1);
    expect(stderr).toContain("SERVICE_QUOTA cannot be shared: the topic no-such-topic does not exist: create it");
  },
  60_000,
);
