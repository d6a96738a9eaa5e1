/**
 * The best speed of kafkajs by itself: it parses each batch, and writes a verdict of the size of SAMPLE for each
 * record. A send has as many verdicts as a broker accepts by default. It has no checks, no order by key, and only
 * kafkajs's own retries.
 */
import { Kafka, logLevel } from "kafkajs";

const {
  KAFKA_BROKERS = "",
  KAFKA_GROUP_ID = "",
  TOPICS_BACKFILL = "",
  TOPIC_VERDICTS = "",
  SAMPLE = "{}",
} = process.env;
/** Verdicts with a total size below a megabyte. */
const MESSAGES_A_SEND = 500;
const sample = JSON.parse(SAMPLE);
const kafka = new Kafka({ clientId: "bare", brokers: KAFKA_BROKERS.split(","), logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: KAFKA_GROUP_ID, maxWaitTimeInMs: 250 });
const producer = kafka.producer({ allowAutoTopicCreation: false });
await Promise.all([consumer.connect(), producer.connect()]);
await consumer.subscribe({ topic: TOPICS_BACKFILL, fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: 6,
  eachBatch: async ({ batch }) => {
    const messages = batch.messages.map(({ value }) => {
      const event = JSON.parse(String(value));
      const verdict = { ...sample, event_id: event.id, subject: { ...sample.subject, address: event.address } };
      return { key: event.address, value: JSON.stringify(verdict), partition: batch.partition };
    });
    for (let from = 0; from < messages.length; from += MESSAGES_A_SEND) {
      await producer.send({ topic: TOPIC_VERDICTS, acks: -1, messages: messages.slice(from, from + MESSAGES_A_SEND) });
    }
  },
});
consumer.on(consumer.events.CRASH, () => process.exit(1));
process.once("SIGTERM", () => process.exit(0));
