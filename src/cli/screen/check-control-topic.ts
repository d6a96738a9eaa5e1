import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { judgeTopic, type TopicFacts } from "../../adapters/kafka/topics/topic-checks.ts";
import { gatherTopicFacts } from "../../adapters/kafka/topics/topic-facts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { quietLog } from "../../kernel/log.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";

/** A run does not wait for brokers: without them it goes on with its own part of the quota, and says so. */
const PATIENCE = { retry: { retries: 0 }, connectionTimeout: 3_000, requestTimeout: 5_000 };

/**
 * Whether a quota can be shared by TOPIC_CONTROL, as far as the brokers say so now. Brokers that are away say nothing.
 *
 * @throws {ConfigInvalidError} when they are there, and the topic is not, or has not one partition.
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
    // Whatever keeps the brokers from answering is told by who follows the topic.
    return undefined;
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
