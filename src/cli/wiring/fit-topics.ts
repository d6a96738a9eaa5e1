import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { connectionFailure } from "../../adapters/kafka/consumer/connection-failure.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { judgeTopic, type TopicFacts } from "../../adapters/kafka/topics/topic-checks.ts";
import { gatherTopicFacts } from "../../adapters/kafka/topics/topic-facts.ts";
import { purposesOf } from "../../adapters/kafka/topics/topics.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";

export type FitTopic = Extract<TopicFacts, { state: "there" }>;

/**
 * The facts about each topic, after all are found suitable for their purpose. By default about every topic.
 *
 * @param mayBeMissing topics that are left out of the result where they do not exist, as long as another event topic
 * does.
 * @throws {ConfigInvalidError} naming every unsuitable topic. Lesser faults are logged.
 */
export async function fitTopics(
  { connection, topics, recordMaxBytes }: KafkaSettings,
  log: Log,
  isWanted: (topic: string) => boolean = () => true,
  mayBeMissing: (topic: string) => boolean = () => false,
): Promise<ReadonlyMap<string, FitTopic>> {
  const wanted = purposesOf(topics).filter(([topic]) => isWanted(topic));
  const admin = kafkaClient(connection, quietLog).admin();
  try {
    await admin.connect();
    const names = wanted.map(([topic]) => topic);
    const facts = await gatherTopicFacts(admin, names);
    const isMissing = (topic: string) => facts.get(topic)?.state === "missing";
    const inputs = [...topics.realtime, ...topics.backfill];
    const isLeftOut = (topic: string) => mayBeMissing(topic) && isMissing(topic) && !inputs.every(isMissing);
    const judged = wanted.filter(([topic]) => !isLeftOut(topic));
    const checks = judged.flatMap((named) => judgeTopic(named, facts.get(named[0]), { recordMaxBytes }));
    const isOnlyTold = ({ ok, isPassing }: CheckedItem) => ok === "warn" || (ok === false && isPassing === true);
    for (const check of checks) if (isOnlyTold(check)) log.warn(textOf(check));
    const wrong = checks.filter((check) => check.ok === false && !isOnlyTold(check));
    if (wrong.length > 0) throw new ConfigInvalidError(["the topics are not fit:", ...wrong.map(textOf)].join("\n  "));
    return new Map(judged.map(([name]) => [name, there(facts.get(name))]));
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw thrown;
    const { detail, remedy } = connectionFailure(thrown);
    const message = `cannot ask ${connection.brokers.join(",")} for the topics: ${detail}: ${remedy}`;
    throw new ConfigInvalidError(message, {}, { cause: thrown });
  } finally {
    await admin.disconnect();
  }
}

/** The number of partitions of each topic. */
export function partitionsOf(topics: ReadonlyMap<string, FitTopic>): ReadonlyMap<string, number> {
  return new Map(Array.from(topics, ([topic, { partitions }]) => [topic, partitions]));
}

function textOf({ check, detail, remedy }: CheckedItem): string {
  return [`${check}: ${detail}`, remedy].filter((part) => part !== "").join(": ");
}

function there(facts: TopicFacts | undefined): FitTopic {
  if (facts?.state !== "there") throw new Error("a topic that is not there has been found fit");
  return facts;
}
