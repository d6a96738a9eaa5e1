import { Kafka } from "kafkajs";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { KafkaGroupConsumer } from "../../src/adapters/kafka/consumer/group-consumer.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { groupConsumerSuite } from "../ports/group-consumer.suite.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { createTopic, freshName, produce, quiet } from "../servers/records.ts";
import { committedBy } from "../support/group-member.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });

groupConsumerSuite(
  "a broker of Kafka's",
  async (partitions) => {
    const topic = await createTopic(kafka, { partitions });
    const groupId = freshName("group");
    const log = new FakeLog();
    const members: KafkaGroupConsumer[] = [];
    return {
      topic,
      member: () => {
        const member = new KafkaGroupConsumer({
          kafka: kafkaClient({ brokers: sharedBootstrap, clientId: "weir-test" }, log),
          groupId,
          topics: [topic],
          sessionTimeoutMs: 6_000,
          rebalanceTimeoutMs: 6_000,
          random: Math.random,
          clock: systemClock,
          log,
        });
        members.push(member);
        return member;
      },
      produce: (partition, values) => produce(kafka, topic, values, partition),
      committed: () => committedBy(kafka, groupId, topic),
      close: async () => void (await Promise.all(members.map((member) => member.stop()))),
    };
  },
  brokerTest,
);
