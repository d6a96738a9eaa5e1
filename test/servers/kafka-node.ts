import { JavaServer } from "./java-server.ts";

/** The paths of a node's files. */
export interface NodeFiles {
  readonly jars: string;
  readonly properties: string;
  /** The folder to remove when this process dies before it closes the node. */
  readonly clusterFolder: string;
}

/**
 * One node of Kafka: `kill` is a power cut, `stop` hands its partitions over, `start` restarts it on the same data and
 * ports.
 */
export class KafkaNode extends JavaServer {
  readonly #properties: string;

  constructor({ jars, properties, clusterFolder }: NodeFiles) {
    const command = ["kafka.Kafka", properties];
    super({ name: "Kafka", jars, command, ready: "Kafka Server started", folder: clusterFolder });
    this.#properties = properties;
  }

  /**
   * Writes the cluster id to the data folder, and the SCRAM passwords of the users. It runs once, before the first
   * start.
   */
  async format(clusterId: string, scram: readonly string[]): Promise<void> {
    const users = scram.flatMap((credential) => ["--add-scram", credential]);
    const args = ["format", `--cluster-id=${clusterId}`, "-c", this.#properties, ...users];
    const command = ["-XX:TieredStopAtLevel=1", "kafka.tools.StorageTool", ...args];
    await this.run(command, "Kafka's storage could not be formatted");
  }
}
