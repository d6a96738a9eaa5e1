import kafkajs, { type Kafka, type KafkaConfig } from "kafkajs";
import type { Log } from "../../kernel/log.ts";
import { clientConfig, type KafkaConnection } from "./client-config.ts";
import { registerCodecs } from "./codecs.ts";
import { repairCommits } from "./commit-repair.ts";
import { repairEncoder } from "./encoder-repair.ts";
import { repairFetch } from "./fetch-repair.ts";
import { repairIdleSpin } from "./idle-spin.ts";
import { repairLeaderless } from "./leaderless-repair.ts";
import { repairMetadata } from "./metadata-repair.ts";
import { repairReset } from "./reset-repair.ts";

/** For those who would rather hear of a failure soon. */
type Patience = Pick<KafkaConfig, "retry" | "connectionTimeout" | "requestTimeout">;

/** kafkajs with our codecs and repairs, and with the connection's settings. Nothing is connected yet. */
export function kafkaClient(connection: KafkaConnection, log: Log, patience: Patience = {}): Kafka {
  registerCodecs();
  repairIdleSpin();
  repairEncoder();
  repairFetch();
  repairCommits();
  repairMetadata();
  repairLeaderless();
  repairReset();
  return new kafkajs.Kafka({ ...clientConfig(connection, log), ...patience });
}
