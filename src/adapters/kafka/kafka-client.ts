import kafkajs, { type Kafka, type KafkaConfig } from "kafkajs";
import type { Log } from "../../kernel/log.ts";
import { clientConfig, type KafkaConnection } from "./client-config.ts";
import { registerCodecs } from "./codecs.ts";
import { repairIdleSpin } from "./idle-spin.ts";

/** For those who would rather hear of a failure soon. */
type Patience = Pick<KafkaConfig, "retry" | "connectionTimeout" | "requestTimeout">;

/** kafkajs with our codecs, without its idle timers, and with the connection's settings. Nothing is connected yet. */
export function kafkaClient(connection: KafkaConnection, log: Log, patience: Patience = {}): Kafka {
  registerCodecs();
  repairIdleSpin();
  return new kafkajs.Kafka({ ...clientConfig(connection, log), ...patience });
}
