import net from "node:net";
import { type Admin, Kafka } from "kafkajs";
import { type FaultProxy, startProxy } from "../servers/fault-proxy.ts";
import { type KafkaCluster, startKafka } from "../servers/kafka-cluster.ts";
import { quiet } from "../servers/records.ts";
import { type WeirTopics, weirTopics } from "../servers/weir-topics.ts";

/** Three brokers, each behind a proxy that the workers use and this process need not. */
export interface ChaosCluster {
  readonly kafka: KafkaCluster;
  /** One proxy in front of each broker. */
  readonly proxies: readonly FaultProxy[];
  /** A client that bypasses the proxies. */
  readonly direct: Kafka;
  readonly topics: WeirTopics;
  close(): Promise<void>;
}

export async function startCluster(partitions: number): Promise<ChaosCluster> {
  const proxies: FaultProxy[] = [];
  const realPorts = new Map<number, number>();
  const advertise = async (brokerIndex: number, port: number) => {
    const proxy = await startProxy({ target: { host: "127.0.0.1", port } });
    proxies[brokerIndex] = proxy;
    realPorts.set(proxy.port, port);
    return proxy.port;
  };
  const kafka = await startKafka({ brokers: 3, advertise });
  const close = async () => {
    await kafka.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  };
  try {
    const direct = new Kafka({
      ...quiet,
      brokers: [...kafka.bootstrap],
      connectionTimeout: 5_000,
      requestTimeout: 15_000,
      retry: { initialRetryTime: 200, maxRetryTime: 2_000, retries: 20 },
      socketFactory: ({ host, port, onConnect }) => {
        const socket = net.connect({ host, port: realPorts.get(port) ?? port }, onConnect);
        return socket.setKeepAlive(true);
      },
    });
    await everyReplicaInSync(direct, 60_000);
    const topics = await weirTopics(direct, kafka.bootstrap, partitions);
    return { kafka, proxies, direct, topics, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Runs `work` with a separate admin client. */
export async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The leader of every partition, by topic/partition. */
export async function leaders(kafka: Kafka): Promise<ReadonlyMap<string, number>> {
  const { topics } = await withAdmin(kafka, (admin) => admin.fetchTopicMetadata());
  return new Map(
    topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionId, leader }) => [`${name}/${partitionId}`, leader] as const),
    ),
  );
}

/** Waits until three brokers run and every partition has all its replicas in sync. @throws when it takes too long. */
export async function everyReplicaInSync(kafka: Kafka, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  for (;;) {
    if (await isHealed(kafka).catch(() => false)) return;
    if (performance.now() > until) throw new Error(`replicas are out of sync after ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function isHealed(kafka: Kafka): Promise<boolean> {
  return withAdmin(kafka, async (admin) => {
    const { brokers } = await admin.describeCluster();
    const { topics } = await admin.fetchTopicMetadata();
    const partitions = topics.flatMap((topic) => topic.partitions);
    return brokers.length === 3 && partitions.every(({ isr, replicas }) => isr.length === replicas.length);
  });
}

/** Records of the group's topics that are not committed yet. */
export async function lagOf(kafka: Kafka, groupId: string, topics: readonly string[]): Promise<number> {
  return withAdmin(kafka, async (admin) => {
    const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
    let lag = 0;
    for (const { topic, partitions } of committed) {
      const ends = await admin.fetchTopicOffsets(topic);
      for (const { partition, high, low } of ends) {
        const at = partitions.find((each) => each.partition === partition)?.offset ?? "-1";
        lag += Number(high) - Math.max(Number(at), Number(low));
      }
    }
    return lag;
  });
}
