import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { freshName, produce, quiet } from "../servers/records.ts";
import { coordinatorOf, nodeOf, partitionsOf, spreadTopic } from "../servers/spread-topic.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { groupMember, untilCommitted } from "../support/group-member.ts";

const PARTITIONS = 6;
const TIMEOUT_MS = 240_000;
const cluster = ownBrokers(() => startKafka({ brokers: 3 }));
const kafka = () => new Kafka({ ...quiet, brokers: [...cluster().bootstrap] });

clusterTest(
  "a group goes on reading and committing when the broker that keeps it is killed",
  async () => {
    const topic = await spreadTopic(cluster(), kafka(), PARTITIONS);
    const groupId = freshName("group");
    const member = groupMember({ brokers: cluster().bootstrap, topic, groupId });
    await produce(kafka(), topic, ["before"], 0);
    await member.has(1);
    member.settle(0, 0);
    await untilCommitted(kafka(), groupId, topic, [1, -1, -1, -1, -1, -1]);

    const coordinator = await coordinatorOf(kafka(), groupId);
    await nodeOf(cluster(), coordinator).kill();
    await eventually(
      () => coordinatorOf(kafka(), groupId),
      (now) => now !== undefined && now > 0 && now !== coordinator,
      "another coordinator",
      BROKERS_MS,
    );
    await eventually(
      () => partitionsOf(kafka(), topic),
      ({ length }) => length === PARTITIONS,
      "a leader of every partition",
      BROKERS_MS,
    );
    await produce(kafka(), topic, ["after"], 0);
    const soon = () =>
      eventually(
        () => ({ values: member.valuesOf(), log: member.log.lines.filter(({ level }) => level === "warn").slice(-4) }),
        ({ values }) => values.includes("after"),
        "the record behind the commit",
        BROKERS_MS,
      );
    await soon();
    member.settle(0, 1);
    await untilCommitted(kafka(), groupId, topic, [2, -1, -1, -1, -1, -1], BROKERS_MS);
    expect(member.valuesOf()).toEqual(["before", "after"]);

    await nodeOf(cluster(), coordinator).start();
    await produce(kafka(), topic, ["later"], 0);
    await member.has(3);
    member.settle(0, 2);
    await untilCommitted(kafka(), groupId, topic, [3, -1, -1, -1, -1, -1]);
    await member.stop();
  },
  TIMEOUT_MS,
);
