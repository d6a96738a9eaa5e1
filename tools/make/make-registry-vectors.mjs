/**
 * `node tools/make/make-registry-vectors.mjs > test/fixtures/registry-vectors.json`: records of Avro's and Protobuf's
 * Java libraries.
 */
import { runWithJars } from "./kafka-java-client.mjs";

const vectors = runWithJars("RegistryVectors", [
  ["org.apache.avro", "avro", "1.12.0"],
  ["io.apicurio", "apicurio-registry-protobuf-schema-utilities", "2.6.13.Final"],
]);
process.stdout.write(`${JSON.stringify(JSON.parse(vectors), null, 2)}\n`);
