import { FakeBroker } from "../../fakes/fake-broker.ts";
import { groupConsumerSuite } from "../../ports/group-consumer.suite.ts";

groupConsumerSuite("a broker in memory", async (partitions) => {
  const broker = new FakeBroker("events", partitions);
  return {
    topic: broker.topic,
    member: () => broker.member(),
    produce: async (partition, values) => broker.produce(partition, values),
    committed: async () => broker.committed,
    close: async () => undefined,
  };
});
