import { mavenJars } from "./maven-jars.ts";

/** The newest release that the tests run on, and the last of the previous major version. */
export const kafkaVersions = ["4.1.2", "3.9.2"] as const;
export type KafkaVersion = (typeof kafkaVersions)[number];

/** Kafka logs by slf4j, and has no binding that writes without a configuration file. */
const dependencies = (version: KafkaVersion) => `
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
      <exclusions>
        <exclusion><groupId>org.slf4j</groupId><artifactId>slf4j-reload4j</artifactId></exclusion>
      </exclusions>
    </dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
`;

/** The folder of jars of this Kafka version. @throws {NoJarsError} */
export async function kafkaJars(version: KafkaVersion): Promise<string> {
  return mavenJars({ name: "Kafka", version, group: "org.apache.kafka", dependencies: dependencies(version) });
}
