import { describe, expect, test } from "vitest";
import {
  judgeTopics,
  type TopicFacts,
  type TopicSettings,
} from "../../../../../src/adapters/kafka/topics/topic-checks.ts";
import {
  purposesOf,
  retryTopicsOf,
  type TopicPurpose,
  type Topics,
} from "../../../../../src/adapters/kafka/topics/topics.ts";

const topics: Topics = {
  realtime: ["events"],
  backfill: ["backfill"],
  verdicts: "verdicts",
  deadLetters: "dead",
  retries: retryTopicsOf("retry"),
  control: "control",
};
const DAY_MS = 86_400_000;
const settings: TopicSettings = {
  minInsyncReplicas: 2,
  retentionMs: 7 * DAY_MS,
  retentionBytes: -1,
  cleanupPolicy: ["delete"],
  maxMessageBytes: 798_720,
  compressionType: "producer",
  timestampType: "CreateTime",
  electsUnclean: false,
};

/** Checks of valid topics with one exception. */
function checksOf(topic: string, odd: TopicFacts) {
  const asItShouldBe = (purpose: TopicPurpose): TopicFacts => ({
    state: "there",
    partitions: purpose === "control" ? 1 : 6,
    replication: 3,
    settings,
  });
  const facts = new Map(purposesOf(topics).map(([name, purpose]) => [name, asItShouldBe(purpose)]));
  facts.set(topic, odd);
  return judgeTopics(topics, facts, { recordMaxBytes: 786_432 });
}

const there = (changed: Partial<TopicSettings>, partitions = 1): Extract<TopicFacts, { state: "there" }> => ({
  state: "there",
  partitions,
  replication: 3,
  settings: { ...settings, ...changed },
});
const problemsOf = (topic: string, odd: TopicFacts) =>
  checksOf(topic, odd)
    .filter(({ ok }) => ok !== true)
    .map(({ check, ok, detail, remedy }) => [check, ok, detail, remedy]);

test("valid topics pass, with one line each", () => {
  const detail = "6 partitions, 3 replicas, kept for 7 d, CreateTime";

  expect(checksOf("control", there({}))).toEqual([
    { check: "topic events (realtime)", ok: true, detail, remedy: "" },
    { check: "topic backfill (backfill)", ok: true, detail, remedy: "" },
    { check: "topic verdicts (verdicts)", ok: true, detail, remedy: "" },
    { check: "topic dead (dead letters)", ok: true, detail, remedy: "" },
    { check: "topic retry.10s (tickets)", ok: true, detail, remedy: "" },
    { check: "topic retry.1m (tickets)", ok: true, detail, remedy: "" },
    { check: "topic retry.10m (tickets)", ok: true, detail, remedy: "" },
    { check: "topic control (control)", ok: true, detail: detail.replace("6 partitions", "1 partition"), remedy: "" },
  ]);
});

test.each(purposesOf(topics))("%s (%s) must exist", (topic, purpose) => {
  expect(problemsOf(topic, { state: "missing" })).toEqual([
    [`topic ${topic} (${purpose})`, false, "does not exist", "create it, or let weir doctor --create do it"],
  ]);
});

test("partitions without a leader fail and are named, but do not prevent the start", () => {
  const [check] = checksOf("dead", { ...there({}, 6), leaderless: [1, 4] }).filter(({ ok }) => ok !== true);
  expect(check).toEqual({
    check: "topic dead (dead letters)",
    ok: false,
    isPassing: true,
    detail: "has 2 partitions without a leader (1, 4): nothing is read or written there",
    remedy: "start the brokers that hold their replicas; other partitions go on meanwhile",
  });
});

test("a topic that cannot be described fails with the reason", () => {
  expect(problemsOf("dead", { state: "unreadable", why: "one of its partitions has no leader" })).toEqual([
    [
      "topic dead (dead letters)",
      false,
      "one of its partitions has no leader",
      "see the state of the brokers and the rights of this client",
    ],
  ]);
});

test("invisible settings are a warning, and the partitions of the control topic are still checked", () => {
  expect(problemsOf("control", { state: "there", partitions: 2, replication: 3 })).toEqual([
    [
      "topic control (control)",
      false,
      "has 2 partitions, and processes that share a quota must all read one",
      "create it again with one partition, or name another in TOPIC_CONTROL",
    ],
    [
      "topic control (control)",
      "warn",
      "this client may not read the settings of the topic, so they were not checked",
      "grant this client DESCRIBE_CONFIGS on the topic",
    ],
  ]);
});

describe("replication", () => {
  const lost = "what was acknowledged can be lost with one broker";

  test.each<[number, number, false | "warn", string]>([
    [1, 1, "warn", `has 1 replica and min.insync.replicas 1: ${lost}`],
    [2, 2, "warn", `has 2 replicas and min.insync.replicas 2: ${lost}`],
    [3, 1, "warn", `has 3 replicas and min.insync.replicas 1: ${lost}`],
    [1, 2, false, "has 1 replica and min.insync.replicas 2: nothing can be written"],
  ])("factor %d with %d in sync", (replication, minInsyncReplicas, ok, detail) => {
    const odd: TopicFacts = {
      state: "there",
      partitions: 6,
      replication,
      settings: { ...settings, minInsyncReplicas },
    };

    expect(problemsOf("events", odd).map((problem) => problem.slice(1, 3))).toEqual([[ok, detail]]);
  });

  test("with all replicas in sync, of three or more, has no fault", () => {
    expect(problemsOf("events", there({ minInsyncReplicas: 3 }))).toEqual([]);
  });
});

describe("the longest record", () => {
  test.each(["verdicts", "dead", "retry.10s", "retry.1m", "retry.10m"])("must fit into %s", (topic) => {
    expect(problemsOf(topic, there({ maxMessageBytes: 798_720 }))).toEqual([]);
    expect(problemsOf(topic, there({ maxMessageBytes: 798_719 })).map((problem) => problem.slice(1))).toEqual([
      [
        false,
        "max.message.bytes is 798719, and records of RECORD_MAX_BYTES need 798720",
        `set max.message.bytes of ${topic} to at least 798720, or lower RECORD_MAX_BYTES`,
      ],
    ]);
  });

  test.each(["events", "backfill", "control"])("is not written to %s", (topic) => {
    expect(problemsOf(topic, there({ maxMessageBytes: 1_000 }))).toEqual([]);
  });

  test("of a producer must be readable", () => {
    expect(problemsOf("events", there({ maxMessageBytes: 16_777_216 }))).toEqual([]);
    expect(problemsOf("events", there({ maxMessageBytes: 16_777_217 }))).toEqual([
      [
        "topic events (realtime)",
        "warn",
        "max.message.bytes is 16777217, and a batch that unpacks to more than 16777216 stops its reader",
        "set max.message.bytes of events to at most 16777216",
      ],
    ]);
  });
});

describe("retention", () => {
  test.each<[string, false | "warn", string]>([
    ["events", "warn", "an event that waits for longer is lost"],
    ["backfill", "warn", "an event that waits for longer is lost"],
    ["verdicts", false, "the archive would lose verdicts when it is behind"],
    ["dead", false, "events that wait for an operator would be lost"],
    ["retry.1m", false, "events that wait to be asked again would be lost"],
  ])("is checked for %s", (topic, ok, because) => {
    expect(problemsOf(topic, there({ retentionMs: 7 * DAY_MS - 1 })).map((problem) => problem.slice(1))).toEqual([
      [ok, `keeps records for 168 h: ${because}`, `set retention.ms of ${topic} to at least 604800000 (7 d), or to -1`],
    ]);
    expect(problemsOf(topic, there({ retentionMs: 2 * DAY_MS }))[0]?.[2]).toBe(`keeps records for 2 d: ${because}`);
    expect(problemsOf(topic, there({ retentionBytes: 5 })).map((problem) => problem.slice(1))).toEqual([
      ["warn", `keeps at most 5 bytes a partition, however young: ${because}`, `set retention.bytes of ${topic} to -1`],
    ]);
    expect(problemsOf(topic, there({ retentionMs: -1 }))).toEqual([]);
  });

  test("of the control topic is free", () => {
    expect(
      problemsOf("control", there({ retentionMs: 60_000, retentionBytes: 5, cleanupPolicy: ["compact"] })),
    ).toEqual([]);
  });

  test("without deletion lasts forever", () => {
    const [, , verdicts] = checksOf("control", there({}));
    expect(verdicts?.ok).toBe(true);
    const compacted = problemsOf("events", there({ cleanupPolicy: ["compact"], retentionMs: 60_000 }));
    expect(compacted.map(([, , detail]) => detail)).toEqual([
      "cleanup.policy is compact: of events with one key, those that wait may be lost",
    ]);
  });
});

describe("compaction", () => {
  test.each<[string, false | "warn"]>([
    ["events", "warn"],
    ["backfill", "warn"],
    ["verdicts", false],
    ["dead", false],
    ["retry.10m", false],
  ])("is a fault of %s", (topic, ok) => {
    const [problem, ...others] = problemsOf(topic, there({ cleanupPolicy: ["compact", "delete"] }));

    expect(others).toEqual([]);
    expect(problem?.[1]).toBe(ok);
    expect(problem?.[2]).toMatch(/^cleanup\.policy is compact,delete: /);
    expect(problem?.[3]).toBe(`set cleanup.policy of ${topic} to delete`);
  });
});

test.each(["producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"])("%s can be read", (compressionType) => {
  expect(problemsOf("events", there({ compressionType }))).toEqual([]);
});

test.each<[string, false | "warn"]>([
  ["verdicts", false],
  ["dead", false],
  ["retry.10m", false],
  ["events", "warn"],
])("for %s, an unclean leader election may lose acknowledged records: %s", (topic, ok) => {
  const detail = "unclean.leader.election.enable is true: what was acknowledged may be lost with one broker";
  const remedy = `set unclean.leader.election.enable of ${topic} to false`;
  expect(problemsOf(topic, there({ electsUnclean: true }))).toEqual([
    [expect.stringContaining(topic), ok, detail, remedy],
  ]);
});

test("an unknown compression of a later Kafka is refused", () => {
  expect(problemsOf("events", there({ compressionType: "brotli" }))).toEqual([
    [
      "topic events (realtime)",
      false,
      "compression.type is brotli, which this version cannot read",
      "set compression.type of events to producer",
    ],
  ]);
});
