/** `node tools/make/make-murmur2-vectors.mjs > test/fixtures/murmur2-vectors.json`: what Kafka's Java client makes of keys. */
import { runWithKafkaClient } from "./kafka-java-client.mjs";

process.stdout.write(runWithKafkaClient("Murmur2Vectors"));
