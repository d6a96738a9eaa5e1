import kafkajs, { type Admin } from "kafkajs";
import { NO_LEADER } from "../kafkajs-patches/leaderless-repair.ts";
import type { TopicFacts, TopicSettings } from "./topic-checks.ts";

/** The part of kafkajs's admin that describes topics. It creates none: its client is configured not to. */
export type TopicAdmin = Pick<Admin, "fetchTopicMetadata" | "describeConfigs">;

/**
 * The facts about each topic, from the brokers. Topics are queried one by one: kafkajs rejects a whole answer for the
 * error of one topic.
 */
export async function gatherTopicFacts(
  admin: TopicAdmin,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicFacts>> {
  const facts = new Map<string, TopicFacts>();
  for (const topic of topics) facts.set(topic, await factsOf(admin, topic));
  return facts;
}

async function factsOf(admin: TopicAdmin, topic: string): Promise<TopicFacts> {
  try {
    const { topics } = await metadataOf(admin, topic);
    const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
    if (partitions.length === 0) return { state: "missing" };
    const replication = Math.min(...partitions.map(({ replicas }) => replicas.length));
    const settings = await settingsOf(admin, topic);
    const leaderless = partitions.filter(({ leader }) => leader === NO_LEADER).map(({ partitionId }) => partitionId);
    const there = {
      state: "there",
      partitions: partitions.length,
      replication,
      ...(leaderless.length === 0 ? {} : { leaderless: leaderless.toSorted((a, b) => a - b) }),
    } as const;
    return settings === undefined ? there : { ...there, settings };
  } catch (thrown) {
    const type = protocolErrorOf(thrown);
    if (type === "UNKNOWN_TOPIC_OR_PARTITION") return { state: "missing" };
    const why = unreadable[type ?? ""];
    if (why === undefined) throw thrown;
    return { state: "unreadable", why };
  }
}

/** When all brokers close their connections, kafkajs reads an answer that does not exist, and throws a TypeError. */
async function metadataOf(admin: TopicAdmin, topic: string): ReturnType<TopicAdmin["fetchTopicMetadata"]> {
  try {
    return await admin.fetchTopicMetadata({ topics: [topic] });
  } catch (thrown) {
    // The cause would only be the position of the TypeError in kafkajs.
    if (thrown instanceof TypeError) throw new kafkajs.KafkaJSError("no broker answered");
    throw thrown;
  }
}

const unreadable: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED: "this client may not describe it, if it exists at all",
  LEADER_NOT_AVAILABLE: "one of its partitions has no leader",
  INVALID_TOPIC_EXCEPTION: "the brokers do not take its name",
};

async function settingsOf(admin: TopicAdmin, name: string): Promise<TopicSettings | undefined> {
  const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name };
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    const values = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    const text = (setting: string) => values.get(setting) ?? "";
    return {
      minInsyncReplicas: Number(text("min.insync.replicas")),
      retentionMs: Number(text("retention.ms")),
      retentionBytes: Number(text("retention.bytes")),
      cleanupPolicy: text("cleanup.policy").split(","),
      maxMessageBytes: Number(text("max.message.bytes")),
      compressionType: text("compression.type"),
      timestampType: text("message.timestamp.type"),
      electsUnclean: text("unclean.leader.election.enable") === "true",
    };
  } catch (thrown) {
    const type = protocolErrorOf(thrown);
    if (type === "TOPIC_AUTHORIZATION_FAILED" || type === "CLUSTER_AUTHORIZATION_FAILED") return undefined;
    throw thrown;
  }
}

/** The protocol's name of an error. kafkajs wraps the error once its retries are exhausted. */
export function protocolErrorOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const type: unknown = Reflect.get(thrown, "type");
  return typeof type === "string" ? type : protocolErrorOf(thrown.cause);
}
