/**
 * Shows whether kafkajs loses acknowledged records when leaders move while a send of several partitions is repeated. It
 * also runs Weir's sender under the same disturbances. Three real brokers are behind proxies that cut connections, and
 * partitions with one replica move from broker to broker. `node tools/prove/reproduce-send-loss.ts [SECONDS] [ROUNDS]`.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { PartitionSender } from "../../src/adapters/kafka/producer/partition-sender.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { OrderedPublisher } from "../../src/worker/consumer/output/ordered-publisher.ts";
import { type FaultProxy, startProxy } from "../../test/servers/fault-proxy.ts";
import { startKafka } from "../../test/servers/kafka-cluster.ts";
import { freshName, quiet } from "../../test/servers/records.ts";

const SECONDS = Number(process.argv[2] ?? 20);
const ROUNDS = Number(process.argv[3] ?? 3);
const PARTITIONS = 12;
const SENDERS = 4;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const proxies: FaultProxy[] = [];
const cluster = await startKafka({
  brokers: 3,
  properties: { "min.insync.replicas": "1" },
  advertise: async (_, port) => {
    const proxy = await startProxy({ target: { host: "127.0.0.1", port } });
    proxies.push(proxy);
    return proxy.port;
  },
});
const kafka = new Kafka({ ...quiet, brokers: [...cluster.bootstrap], retry: { initialRetryTime: 50, retries: 20 } });

interface Acked {
  /** Values of resolved sends. */
  readonly values: Set<string>;
  failedSends: number;
  /** Values with a partition that the answer did not name: they were never sent. */
  readonly unnamed: Set<string>;
}

/** Sends one record to every partition at once, again and again, as is common. */
async function plain(topic: string, until: number): Promise<Acked> {
  const acked: Acked = { values: new Set(), failedSends: 0, unnamed: new Set() };
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const send = async (sender: number) => {
    for (let nth = 0; performance.now() < until; nth++) {
      const messages = everywhere(`${sender}-${nth}`);
      try {
        const answer = await producer.send({ topic, acks: -1, messages: [...messages] });
        const named = new Set(answer.map(({ partition }) => partition));
        for (const { value, partition } of messages) {
          acked.values.add(value);
          if (!named.has(partition)) acked.unnamed.add(value);
        }
      } catch {
        acked.failedSends++;
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  await producer.disconnect();
  return acked;
}

/** Sends the records with the worker's own sender. */
async function ours(topic: string, until: number): Promise<Acked> {
  const acked: Acked = { values: new Set(), failedSends: 0, unnamed: new Set() };
  const sender = new PartitionSender({
    clock: systemClock,
    kafka: kafkaClient({ brokers: cluster.bootstrap, clientId: "ours" }, silent),
    log: silent,
    partitions: new Map([[topic, PARTITIONS]]),
  });
  await sender.start();
  const log = { ...silent, warn: () => void acked.failedSends++ };
  const { signal } = new AbortController();
  const publisher = new OrderedPublisher({
    sender,
    clock: systemClock,
    random: Math.random,
    log,
    maxBytes: 1e6,
    maxRecordBytes: 1e6,
    signal,
  });
  const send = async (nthSender: number) => {
    for (let nth = 0; performance.now() < until; nth++) {
      const publish = async (value: string) => {
        await publisher.publish({ topic, key: value, value: Buffer.from(value), headers: {} });
        acked.values.add(value);
      };
      await Promise.all(everywhere(`${nthSender}-${nth}`).map(({ value }) => publish(value)));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, nth) => send(nth)));
  await sender.stop();
  return acked;
}

function everywhere(name: string) {
  return Array.from({ length: PARTITIONS }, (_, partition) => ({ value: `${name}-${partition}`, partition }));
}

/** Moves partitions from broker to broker and cuts connections. @returns the number of moved partitions. */
async function disturb(topic: string, until: number): Promise<number> {
  const admin = new Kafka({ ...quiet, brokers: [...cluster.bootstrap] }).admin();
  await admin.connect();
  let moves = 0;
  for (let nth = 0; performance.now() < until; nth++) {
    const partitionAssignment = Array.from({ length: PARTITIONS / 3 }, (_, i) => ({
      partition: (nth + 3 * i) % PARTITIONS,
      replicas: [((nth + i) % 3) + 1],
    }));
    const cut = proxies[nth % proxies.length];
    await cut?.set({ mode: nth % 2 === 0 ? "reset" : "latency", ms: 40 });
    await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] }).then(
      () => {
        moves += partitionAssignment.length;
      },
      () => undefined,
    );
    await delay(100);
    await cut?.set({ mode: "pass" });
    await delay(300);
  }
  await admin.disconnect();
  return moves;
}

async function round(name: string, write: (topic: string, until: number) => Promise<Acked>): Promise<string> {
  const topic = freshName(name);
  const admin = kafka.admin();
  await admin.connect();
  const topics = [{ topic, numPartitions: PARTITIONS, replicationFactor: 1 }];
  await admin.createTopics({ topics, waitForLeaders: false });
  await delay(2_000);
  const until = performance.now() + 1_000 * SECONDS;
  const [acked, moves] = await Promise.all([write(topic, until), disturb(topic, until)]);
  await admin.disconnect();
  const found = await valuesIn(topic, await endsOf(topic));
  const lost = [...acked.values].filter((value) => !found.has(value));
  const unsent = lost.filter((value) => acked.unnamed.has(value)).length;
  return `${name}: acknowledged ${acked.values.size}, found ${found.size}, lost ${lost.length}, of which ${unsent} the answer does not name (${moves} moves, ${acked.failedSends} failed sends)`;
}

/** The end of each partition. A new client queries it each time, since an old one does not notice a moved leader. */
async function endsOf(topic: string): Promise<readonly number[]> {
  for (;;) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return (await admin.fetchTopicOffsets(topic)).map(({ high }) => Number(high));
    } catch {
      await delay(500);
    } finally {
      await admin.disconnect();
    }
  }
}

/** Every value of the topic, read up to the ends of its partitions. */
async function valuesIn(topic: string, ends: readonly number[]): Promise<Set<string>> {
  const values = new Set<string>();
  const total = ends.reduce((sum, end) => sum + end, 0);
  const seen = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  if (total === 0) resolve();
  const consumer = kafka.consumer({ groupId: freshName("group"), maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      values.add(String(message.value));
      seen.add(`${partition}/${message.offset}`);
      if (seen.size === total) resolve();
    },
  });
  await promise;
  await consumer.disconnect();
  return values;
}

try {
  for (let nth = 1; nth <= ROUNDS; nth++) {
    for (const [name, write] of [
      ["plain", plain],
      ["ours", ours],
    ] as const) {
      process.stdout.write(`round ${nth}: ${await round(name, write)}\n`);
    }
  }
} finally {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await cluster.close();
}
