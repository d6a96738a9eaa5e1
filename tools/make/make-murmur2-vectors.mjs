/**
 * `node tools/make/make-murmur2-vectors.mjs > test/fixtures/murmur2-vectors.json`: the hashes of keys by Kafka's Java
 * client.
 */
import { runWithKafkaClient } from "./kafka-java-client.mjs";

process.stdout.write(runWithKafkaClient("Murmur2Vectors"));
