import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toError } from "../../src/kernel/errors.ts";
import { startKafka } from "./kafka-cluster.ts";
import { kafkaJars, kafkaVersions } from "./kafka-jars.ts";
import { NoJarsError } from "./maven-jars.ts";

const execute = promisify(execFile);

/** The source of a run's broker. Tests may share the broker; each uses its own topics and groups. */
export type KafkaProvider =
  | {
      readonly kind: "environment" | "docker" | "jars";
      /** A label for reports: the kind of the broker, and its address or version. */
      readonly label: string;
      readonly bootstrap: readonly string[];
      close(): Promise<void>;
    }
  | { readonly kind: "none"; readonly reason: string; readonly remedy: string };

type Started = Exclude<KafkaProvider, { readonly kind: "none" }>;

/** The ways to get a broker on this machine. */
export interface KafkaSources {
  dockerAnswers(): Promise<boolean>;
  startInDocker(image: string): Promise<Started>;
  /** @throws {NoJarsError} */
  startFromJars(): Promise<Started>;
}

/**
 * The default image of testcontainers' KafkaContainer. Another image needs a version as its tag, since the tag is
 * parsed.
 */
const DEFAULT_IMAGE = "confluentinc/cp-kafka:8.1.0";

/**
 * A broker for this run: the one in KAFKA_BROKERS, else a container where Docker works, else Kafka's own jars, else
 * none. When Docker cannot start a container, the jars are tried.
 *
 * @throws where there is none and CI is set: a failed pipeline is better than one that silently tests less
 */
export async function findKafka(
  env: Readonly<Record<string, string | undefined>>,
  sources: KafkaSources = machine,
): Promise<KafkaProvider> {
  const brokers = env["KAFKA_BROKERS"];
  if (brokers !== undefined && brokers !== "") return fromEnvironment(brokers);
  const reasons: string[] = [];
  if (await sources.dockerAnswers()) {
    try {
      return await sources.startInDocker(env["KAFKA_IMAGE"] ?? DEFAULT_IMAGE);
    } catch (thrown) {
      reasons.push(`Docker could not start a container (${firstLine(thrown)})`);
    }
  } else {
    reasons.push("Docker does not answer");
  }
  try {
    const started = await sources.startFromJars();
    return { ...started, label: `${started.label} (${reasons.join("; ")})` };
  } catch (thrown) {
    if (!(thrown instanceof NoJarsError)) throw thrown;
    const reason = [...reasons, thrown.reason].join("; ");
    const remedy = `${thrown.remedy}; or start Docker; or set KAFKA_BROKERS=host:port`;
    if (env["CI"] === "true") throw new Error(`no Kafka for the tests: ${reason}. To help: ${remedy}`);
    return { kind: "none", reason, remedy };
  }
}

function fromEnvironment(brokers: string): Started {
  const bootstrap = brokers.split(",").map((broker) => broker.trim());
  return { kind: "environment", label: "environment (KAFKA_BROKERS)", bootstrap, close: async () => undefined };
}

function firstLine(thrown: unknown): string {
  return toError(thrown).message.split("\n", 1)[0] ?? "";
}

const machine: KafkaSources = {
  async dockerAnswers() {
    try {
      await execute("docker", ["info"], { timeout: 3000, killSignal: "SIGKILL" });
      return true;
    } catch {
      return false;
    }
  },

  async startInDocker(image) {
    const { KafkaContainer } = await import("@testcontainers/kafka");
    const { Wait } = await import("testcontainers");
    const container = await new KafkaContainer(image)
      .withKraft()
      .withEnvironment({
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: "1",
        KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS: "1",
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: "false",
        KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: "1000",
      })
      .withWaitStrategy(Wait.forLogMessage("Kafka Server started"))
      .start();
    return {
      kind: "docker",
      label: `docker ${image}`,
      bootstrap: [`${container.getHost()}:${container.getMappedPort(9093)}`],
      close: async () => {
        await container.stop();
      },
    };
  },

  async startFromJars() {
    const [version] = kafkaVersions;
    await kafkaJars(version);
    const { bootstrap, close } = await startKafka({ brokers: 1, version });
    return { kind: "jars", label: `jars ${version}`, bootstrap, close };
  },
};
