import type { Check } from "../adapters/kafka/check.ts";
import { kafkaClient } from "../adapters/kafka/kafka-client.ts";
import { judgeTopics } from "../adapters/kafka/topic-checks.ts";
import { gatherTopicFacts } from "../adapters/kafka/topic-facts.ts";
import { purposesOf } from "../adapters/kafka/topics.ts";
import { ConfigInvalidError } from "../kernel/errors.ts";
import { type Log, quietLog } from "../kernel/log.ts";
import type { KafkaSettings } from "./kafka-settings.ts";

/**
 * How many partitions each topic has, once all of them are found fit.
 *
 * @throws {ConfigInvalidError} naming every topic that is not; what is only unwise is logged.
 */
export async function topicPartitions(
  { connection, topics, recordMaxBytes }: KafkaSettings,
  log: Log,
): Promise<ReadonlyMap<string, number>> {
  const names = purposesOf(topics).map(([topic]) => topic);
  const admin = kafkaClient(connection, quietLog).admin();
  await admin.connect();
  try {
    const facts = await gatherTopicFacts(admin, names);
    const checks = judgeTopics(topics, facts, { recordMaxBytes });
    for (const check of checks) if (check.ok === "warn") log.warn(textOf(check));
    const wrong = checks.filter(({ ok }) => ok === false);
    if (wrong.length > 0) throw new ConfigInvalidError(["the topics are not fit:", ...wrong.map(textOf)].join("\n  "));
    return new Map(names.map((name) => [name, partitionsOf(facts.get(name))]));
  } finally {
    await admin.disconnect();
  }
}

function textOf({ check, detail, remedy }: Check): string {
  return [`${check}: ${detail}`, remedy].filter((part) => part !== "").join(": ");
}

type Facts = Awaited<ReturnType<typeof gatherTopicFacts>> extends ReadonlyMap<string, infer F> ? F : never;

function partitionsOf(facts: Facts | undefined): number {
  if (facts?.state !== "there") throw new Error("a topic that is not there has been found fit");
  return facts.partitions;
}
