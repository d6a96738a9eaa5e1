/** `node tools/make/make-compressed-bytes.mjs > test/fixtures/compressed-bytes.json`: payloads, compressed by Kafka's Java client. */
import { runWithKafkaClient } from "./kafka-java-client.mjs";

process.stdout.write(runWithKafkaClient("CompressedBytes"));
