import kafkajs from "kafkajs";
import type { DiagnosisAdmin } from "../../src/adapters/kafka/topics/diagnose.ts";

/** One topic of a `FakeKafkaAdmin`: its replicas by partition, and the settings that differ from Kafka's own. */
export interface FakeTopic {
  readonly replicas: readonly (readonly number[])[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** Kafka's own defaults. */
const defaults = {
  "cleanup.policy": "delete",
  "compression.type": "producer",
  "max.message.bytes": "1048588",
  "message.timestamp.type": "CreateTime",
  "min.insync.replicas": "1",
  "retention.bytes": "-1",
  "retention.ms": "604800000",
};

/**
 * An error of a broker as kafkajs throws it: with the protocol's name of the error, wrapped after exhausted retries.
 */
export function protocolError(type: string): Error {
  const cause = Object.assign(new Error(`the broker says ${type}`), { name: "KafkaJSProtocolError", type, code: 1 });
  return Object.assign(new Error(cause.message, { cause }), { name: "KafkaJSNumberOfRetriesExceeded" });
}

/** A cluster in memory, in the form of kafkajs's admin. */
export class FakeKafkaAdmin implements DiagnosisAdmin {
  readonly topics = new Map<string, FakeTopic>();
  /** Settings of each broker, by its id. */
  readonly brokers = new Map<string, Readonly<Record<string, string>>>();
  nodes: readonly { nodeId: number; host: string; port: number }[] = [{ nodeId: 1, host: "a", port: 9092 }];
  /** By the name of the called method, alone or with a topic after a blank. */
  readonly failures = new Map<string, Error>();
  readonly created: Parameters<DiagnosisAdmin["createTopics"]>[0]["topics"] = [];
  connections = 0;

  async connect(): Promise<void> {
    this.#fail("connect");
    this.connections += 1;
  }

  async disconnect(): Promise<void> {
    this.connections -= 1;
  }

  async describeCluster() {
    this.#fail("describeCluster");
    return { brokers: [...this.nodes], controller: 1, clusterId: "fake" };
  }

  async fetchTopicMetadata(options?: { topics: string[] }) {
    const topics = (options?.topics ?? []).map((name) => {
      this.#fail(`fetchTopicMetadata ${name}`);
      const topic = this.topics.get(name);
      if (topic === undefined) throw protocolError("UNKNOWN_TOPIC_OR_PARTITION");
      const partitions = topic.replicas.map((replicas, partitionId) => ({
        partitionErrorCode: 0,
        partitionId,
        leader: replicas[0] ?? -1,
        replicas: [...replicas],
        isr: [...replicas],
      }));
      return { name, partitions };
    });
    return { topics };
  }

  async describeConfigs({ resources }: Parameters<DiagnosisAdmin["describeConfigs"]>[0]) {
    return {
      throttleTime: 0,
      resources: resources.map(({ name, type }) => {
        this.#fail(`describeConfigs ${name}`);
        const isTopic = type === kafkajs.ConfigResourceTypes.TOPIC;
        const values = isTopic ? { ...defaults, ...this.topics.get(name)?.settings } : (this.brokers.get(name) ?? {});
        const configEntries = Object.entries(values).map(([configName, configValue]) => ({
          configName,
          configValue,
          isDefault: true,
          configSource: kafkajs.ConfigSource.DEFAULT_CONFIG,
          isSensitive: false,
          readOnly: false,
          configSynonyms: [],
        }));
        return { configEntries, errorCode: 0, errorMessage: "", resourceName: name, resourceType: type };
      }),
    };
  }

  async createTopics({ topics }: Parameters<DiagnosisAdmin["createTopics"]>[0]): Promise<boolean> {
    for (const topic of topics) {
      this.#fail(`createTopics ${topic.topic}`);
      if (this.topics.has(topic.topic)) return false;
      const replicas = Array.from({ length: topic.replicationFactor ?? 1 }, (_, at) => at + 1);
      const settings = Object.fromEntries((topic.configEntries ?? []).map(({ name, value }) => [name, value]));
      this.topics.set(topic.topic, {
        replicas: Array.from({ length: topic.numPartitions ?? 1 }, () => replicas),
        settings,
      });
      this.created.push(topic);
    }
    return true;
  }

  #fail(what: string): void {
    const failure = this.failures.get(what);
    if (failure !== undefined) throw failure;
  }
}
