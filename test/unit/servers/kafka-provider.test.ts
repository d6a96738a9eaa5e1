import { expect, test } from "vitest";

import { findKafka, type KafkaSources } from "../../servers/kafka-provider.ts";
import { NoJarsError } from "../../servers/maven-jars.ts";

const close = async () => undefined;

/** Everything works; each test removes one source. */
const all: KafkaSources = {
  dockerAnswers: async () => true,
  startInDocker: async (image) => ({ kind: "docker", label: `docker ${image}`, bootstrap: ["docker:1"], close }),
  startFromJars: async () => ({ kind: "jars", label: "jars 4", bootstrap: ["jars:1"], close }),
};
const noDocker = { dockerAnswers: async () => false };
const noJars = {
  startFromJars: async () => {
    throw new NoJarsError("Kafka", "there is no java", "install one");
  },
};

test("the brokers in the environment come first", async () => {
  expect(await findKafka({ KAFKA_BROKERS: "a:1, b:2", CI: "true" }, all)).toMatchObject({
    kind: "environment",
    bootstrap: ["a:1", "b:2"],
  });
});

test.each([
  [{}, "docker confluentinc/cp-kafka:8.1.0"],
  [{ KAFKA_BROKERS: "" }, "docker confluentinc/cp-kafka:8.1.0"],
  [{ KAFKA_IMAGE: "local/kafka:9.0.0" }, "docker local/kafka:9.0.0"],
])("Docker comes second, with the image of KAFKA_IMAGE: %j", async (env, label) => {
  expect(await findKafka(env, all)).toMatchObject({ kind: "docker", label });
});

test("the jars come third, and the label names the earlier failures", async () => {
  expect(await findKafka({}, { ...all, ...noDocker })).toMatchObject({
    kind: "jars",
    label: "jars 4 (Docker does not answer)",
  });
});

test("Docker without a working container counts as missing", async () => {
  const startInDocker = async () => {
    throw new Error("no such image\nand so on");
  };

  expect(await findKafka({}, { ...all, startInDocker })).toMatchObject({
    kind: "jars",
    label: "jars 4 (Docker could not start a container (no such image))",
  });
});

test("without a source the result has a reason and a remedy", async () => {
  expect(await findKafka({}, { ...all, ...noDocker, ...noJars })).toEqual({
    kind: "none",
    reason: "Docker does not answer; there is no java",
    remedy: "install one; or start Docker; or set KAFKA_BROKERS=host:port",
  });
});

test("without a source a pipeline fails, and the error names a helpful command", async () => {
  await expect(findKafka({ CI: "true" }, { ...all, ...noDocker, ...noJars })).rejects.toThrow(
    /^no Kafka for the tests: .*there is no java\. To help: install one; or start Docker/,
  );
});

test("existing jars that do not start are a failure, not a reason to skip", async () => {
  const startFromJars = async () => {
    throw new Error("Kafka did not start");
  };

  await expect(findKafka({}, { ...all, ...noDocker, startFromJars })).rejects.toThrow("Kafka did not start");
});
