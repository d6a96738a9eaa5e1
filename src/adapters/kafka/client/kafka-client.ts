import kafkajs, { type Kafka, type KafkaConfig } from "kafkajs";
import type { Log } from "../../../kernel/log.ts";
import { repairCommits } from "../kafkajs-patches/commit-repair.ts";
import { repairEncoder } from "../kafkajs-patches/encoder-repair.ts";
import { repairFetch } from "../kafkajs-patches/fetch-repair.ts";
import { repairIdleSpin } from "../kafkajs-patches/idle-spin.ts";
import { repairLeaderless } from "../kafkajs-patches/leaderless-repair.ts";
import { repairMetadata } from "../kafkajs-patches/metadata-repair.ts";
import { repairReset } from "../kafkajs-patches/reset-repair.ts";
import { registerCodecs } from "../wire/codecs.ts";
import { clientConfig, type KafkaConnection } from "./client-config.ts";

/** Settings for callers that need an early failure. */
type Patience = Pick<KafkaConfig, "retry" | "connectionTimeout" | "requestTimeout">;

/**
 * A kafkajs client with the codecs and patches of Weir, and with the connection's settings. It is not connected yet.
 */
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
