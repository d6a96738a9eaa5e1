import { expect, test } from "vitest";
import { gatherTopicFacts } from "../../../../../src/adapters/kafka/topics/topic-facts.ts";

test("kafkajs's TypeError for brokers that all close the connection counts as a temporary failure", async () => {
  const admin = {
    fetchTopicMetadata: () => Promise.reject(new TypeError("Cannot read properties of null (reading 'topicMetadata')")),
    describeConfigs: () => Promise.reject(new Error("not reached")),
  };

  await expect(gatherTopicFacts(admin, ["events"])).rejects.toMatchObject({
    message: "no broker answered",
    retriable: true,
  });
});
