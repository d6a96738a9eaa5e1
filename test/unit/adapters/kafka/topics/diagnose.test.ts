import { beforeEach, describe, expect, test } from "vitest";
import { type Diagnosis, diagnose } from "../../../../../src/adapters/kafka/topics/diagnose.ts";
import { gatherTopicFacts } from "../../../../../src/adapters/kafka/topics/topic-facts.ts";
import { purposesOf, retryTopicsOf, type Topics } from "../../../../../src/adapters/kafka/topics/topics.ts";
import { FakeKafkaAdmin, protocolError } from "../../../../fakes/fake-kafka-admin.ts";

const topics: Topics = {
  realtime: ["events"],
  backfill: [],
  verdicts: "verdicts",
  deadLetters: "dead",
  retries: retryTopicsOf("retry"),
  control: "control",
};
const names = purposesOf(topics).map(([topic]) => topic);

let cluster: FakeKafkaAdmin;
/** Brokers that do not answer when they are called alone. */
let down: Map<string, Error>;
let slept: number[];

beforeEach(() => {
  cluster = new FakeKafkaAdmin();
  down = new Map();
  slept = [];
});

function diagnosis(changed: Partial<Diagnosis> = {}): Diagnosis {
  return {
    brokers: ["a:9092"],
    topics,
    recordMaxBytes: 786_432,
    sleep: async (ms) => void slept.push(ms),
    openAdmin: (brokers) => {
      const failure = down.get(brokers.join());
      if (failure === undefined) return cluster;
      const admin = new FakeKafkaAdmin();
      admin.failures.set("connect", failure);
      return admin;
    },
    ...changed,
  };
}

const shown = async (changed?: Partial<Diagnosis>) =>
  (await diagnose(diagnosis(changed))).checks.map(({ check, ok, detail }) => [check, ok, detail]);

describe("the facts about topics from the brokers", () => {
  test("are collected one by one", async () => {
    cluster.topics.set("there", {
      replicas: [
        [1, 2, 3],
        [2, 3],
      ],
      settings: { "cleanup.policy": "compact,delete" },
    });
    cluster.topics.set("secret", { replicas: [[1]] });
    cluster.failures.set("describeConfigs secret", protocolError("TOPIC_AUTHORIZATION_FAILED"));
    cluster.failures.set("fetchTopicMetadata hidden", protocolError("TOPIC_AUTHORIZATION_FAILED"));
    cluster.failures.set("fetchTopicMetadata headless", protocolError("LEADER_NOT_AVAILABLE"));

    expect([...(await gatherTopicFacts(cluster, ["there", "missing", "secret", "hidden", "headless"]))]).toEqual([
      [
        "there",
        {
          state: "there",
          partitions: 2,
          replication: 2,
          settings: {
            minInsyncReplicas: 1,
            retentionMs: 604_800_000,
            retentionBytes: -1,
            cleanupPolicy: ["compact", "delete"],
            maxMessageBytes: 1_048_588,
            compressionType: "producer",
            timestampType: "CreateTime",
            electsUnclean: false,
          },
        },
      ],
      ["missing", { state: "missing" }],
      ["secret", { state: "there", partitions: 1, replication: 1 }],
      ["hidden", { state: "unreadable", why: "this client may not describe it, if it exists at all" }],
      ["headless", { state: "unreadable", why: "one of its partitions has no leader" }],
    ]);
  });

  test("names partitions without a leader", async () => {
    cluster.topics.set("there", { replicas: [[1], [], [2], []] });
    cluster.failures.set("describeConfigs there", protocolError("TOPIC_AUTHORIZATION_FAILED"));

    expect((await gatherTopicFacts(cluster, ["there"])).get("there")).toMatchObject({ leaderless: [1, 3] });
  });

  test.each(["fetchTopicMetadata there", "describeConfigs there"])("are not invented when %s fails", async (what) => {
    cluster.topics.set("there", { replicas: [[1]] });
    cluster.failures.set(what, new Error("Closed connection"));

    await expect(gatherTopicFacts(cluster, ["there"])).rejects.toThrow("Closed connection");
  });
});

test("no topic is created without the option", async () => {
  expect(await shown()).toEqual([
    ["broker a:9092 (KAFKA_BROKERS)", true, "answers; the cluster has 1 broker"],
    ...purposesOf(topics).map(([topic, purpose]) => [`topic ${topic} (${purpose})`, false, "does not exist"]),
  ]);
  expect(cluster.created).toEqual([]);
  expect(cluster.connections).toBe(0);
});

describe("missing topics are created", () => {
  test("with the settings that the checks require", async () => {
    cluster.nodes = [1, 2, 3, 4].map((nodeId) => ({ nodeId, host: "a", port: 9091 + nodeId }));
    cluster.topics.set("events", { replicas: [[1]] });

    const checks = await shown({ create: { partitions: 6 } });

    expect(cluster.created.map(({ topic, numPartitions }) => [topic, numPartitions])).toEqual([
      ["verdicts", 6],
      ["dead", 6],
      ["retry.10s", 6],
      ["retry.1m", 6],
      ["retry.10m", 6],
      ["control", 1],
    ]);
    expect(cluster.created[0]).toEqual({
      topic: "verdicts",
      numPartitions: 6,
      replicationFactor: 3,
      configEntries: [
        { name: "cleanup.policy", value: "delete" },
        { name: "retention.ms", value: "604800000" },
        { name: "max.message.bytes", value: "1048588" },
        { name: "min.insync.replicas", value: "2" },
      ],
    });
    // The existing topic stays unchanged.
    expect(checks.filter(([, ok]) => ok !== true).map(([check]) => check)).toEqual(["topic events (realtime)"]);
    expect(checks).toContainEqual(["create control", true, "created"]);
  });

  test("with as many replicas as there are brokers, and with one replica in sync", async () => {
    await shown({ create: { partitions: 2 } });

    expect(cluster.created[0]?.replicationFactor).toBe(1);
    expect(cluster.created[0]?.configEntries?.map(({ name }) => name)).not.toContain("min.insync.replicas");
  });

  test("with the flags, and with room for the longest record", async () => {
    await shown({ create: { partitions: 2, replication: 2 }, recordMaxBytes: 2_000_000 });

    expect(cluster.created[0]?.replicationFactor).toBe(2);
    expect(cluster.created[0]?.configEntries).toContainEqual({ name: "max.message.bytes", value: "2012288" });
  });

  test("and are waited for until every broker knows them", async () => {
    cluster.failures.set("fetchTopicMetadata dead", protocolError("UNKNOWN_TOPIC_OR_PARTITION"));
    const sleep = async (ms: number) => {
      if (slept.push(ms) === 2) cluster.failures.clear();
    };

    const checks = await shown({ create: { partitions: 1 }, sleep });

    expect(checks.filter(([, ok]) => ok === false)).toEqual([]);
    expect(checks).toContainEqual(["create dead", true, "created"]);
    expect(slept).toEqual([500, 500]);
  });

  test("and are waited for at most half a minute", async () => {
    cluster.failures.set("fetchTopicMetadata dead", protocolError("UNKNOWN_TOPIC_OR_PARTITION"));

    const checks = await shown({ create: { partitions: 1 } });

    expect(checks).toContainEqual(["create dead", true, "created"]);
    expect(checks).toContainEqual(["topic dead (dead letters)", false, "does not exist"]);
    expect(slept).toEqual(Array.from({ length: 60 }, () => 500));
  });

  test("one by one, so that a refused topic does not hide the others", async () => {
    const refusal = Object.assign(new Error("Topic creation errors"), {
      name: "KafkaJSAggregateError",
      errors: [new Error("Not authorized to access topics: [Topic authorization failed]")],
    });
    cluster.failures.set("createTopics dead", refusal);

    const checks = await shown({ create: { partitions: 1 } });

    expect(checks).toContainEqual([
      "create dead",
      false,
      "Not authorized to access topics: [Topic authorization failed]",
    ]);
    expect(cluster.created.map(({ topic }) => topic)).toEqual(names.filter((name) => name !== "dead"));
    expect(checks).toContainEqual(["topic dead (dead letters)", false, "does not exist"]);
  });
});

describe("brokers", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

  test("that do not answer are named, and the others are called", async () => {
    down.set("b:9092", refused);
    const checks = await shown({ brokers: ["b:9092", "a:9092"] });

    expect(checks.slice(0, 3)).toEqual([
      ["broker b:9092 (KAFKA_BROKERS)", false, "nothing listens there"],
      ["broker a:9092 (KAFKA_BROKERS)", true, "answers; the cluster has 1 broker"],
      ["topic events (realtime)", false, "does not exist"],
    ]);
  });

  test("that all do not answer leave the topics unchecked", async () => {
    down.set("a:9092", refused);

    expect(await shown()).toEqual([
      ["broker a:9092 (KAFKA_BROKERS)", false, "nothing listens there"],
      ["topics", false, "no broker to ask"],
    ]);
  });

  test("that the cluster advertises are reached by that address, too", async () => {
    cluster.nodes = [
      { nodeId: 1, host: "a", port: 9092 },
      { nodeId: 2, host: "inside", port: 9092 },
    ];
    down.set("inside:9092", Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));

    expect((await shown()).slice(0, 2)).toEqual([
      ["broker a:9092 (KAFKA_BROKERS)", true, "answers; the cluster has 2 brokers"],
      ["broker inside:9092 (advertised)", false, "the host name does not resolve"],
    ]);
  });

  test("that vanish during the check are a failure and no crash", async () => {
    cluster.failures.set(
      "fetchTopicMetadata events",
      Object.assign(new Error("Closed connection"), { name: "KafkaJSConnectionClosedError" }),
    );

    expect((await shown()).at(-1)).toEqual(["topics", false, "the broker closed the connection at once"]);
  });
});
