import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { judgeTopic, type TopicFacts } from "../../adapters/kafka/topics/topic-checks.ts";
import { gatherTopicFacts } from "../../adapters/kafka/topics/topic-facts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { quietLog } from "../../kernel/log.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";

/** A run does not wait for brokers. Without them it goes on with its own part of the quota, and logs that. */
const PATIENCE = { retry: { retries: 0 }, connectionTimeout: 3_000, requestTimeout: 5_000 };

/**
 * Checks that TOPIC_CONTROL can share a quota, as far as the brokers report. Unreachable brokers pass the check.
 *
 * @throws {ConfigInvalidError} when the brokers answer, and the topic is missing, or does not have exactly one
 * partition.
 */
export async function checkControlTopic({ connection, topics, recordMaxBytes }: KafkaSettings): Promise<void> {
  const { control } = topics;
  const facts = await askFor(connection, control);
  if (facts === undefined) return;
  const wrong = judgeTopic([control, "control"], facts, { recordMaxBytes }).filter(
    ({ ok, isPassing }) => ok === false && isPassing !== true,
  );
  if (wrong.length === 0) return;
  const told = wrong.map(({ detail, remedy }) => `${detail}: ${remedy}`).join("; ");
  throw new ConfigInvalidError(`SERVICE_QUOTA cannot be shared: the topic ${control} ${told}; or unset KAFKA_BROKERS`);
}

async function askFor(connection: KafkaSettings["connection"], topic: string): Promise<TopicFacts | undefined> {
  const admin = kafkaClient(connection, quietLog, PATIENCE).admin();
  try {
    await admin.connect();
    return (await gatherTopicFacts(admin, [topic])).get(topic);
  } catch {
    // The reader of the control topic reports the failures of brokers.
    return undefined;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
