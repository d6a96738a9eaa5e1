import { expect, test } from "vitest";
import { gatherTopicFacts } from "../../../../../src/adapters/kafka/topics/topic-facts.ts";

test("kafkajs's answer to brokers that all hang up, which is none, counts as a failure that may pass", async () => {
  const admin = {
    fetchTopicMetadata: () => Promise.reject(new TypeError("Cannot read properties of null (reading 'topicMetadata')")),
    describeConfigs: () => Promise.reject(new Error("not reached")),
  };

  await expect(gatherTopicFacts(admin, ["events"])).rejects.toMatchObject({
    message: "no broker answered",
    retriable: true,
  });
});
