import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { createTopics } from "../servers/create-topics.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { kafkaVersions } from "../servers/kafka-jars.ts";
import { clusterTest } from "../servers/kafka-tests.ts";
import { addressEvent, produce } from "../servers/records.ts";
import { deleteTopics, recreateTopic } from "../servers/recreate-topic.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

/** Maven may have to download Kafka first. */
const TIMEOUT_MS = 400_000;
const range = (from: number, until: number) => Array.from({ length: until - from }, (_, i) => from + i);
const events = (from: number, until: number) => range(from, until).map(addressEvent);

/** A separate broker, its topics, and a reader of all verdicts on a range of events. */
async function world(version: (typeof kafkaVersions)[number]) {
  const cluster = await startKafka({ brokers: 1, version });
  onTestFinished(() => cluster.close());
  const kafka = kafkaClient({ brokers: cluster.bootstrap, clientId: "weir-test" }, quietLog);
  const topics = await weirTopics(kafka, cluster.bootstrap);
  const env = { ...topics.env, ...(await served()) };
  const untilScreened = async (from: number, until: number) => {
    const wanted = range(from, until).map((i) => `event-${i}`);
    const idsOf = (values: readonly { readonly value: string }[]) =>
      new Set(values.map(({ value }) => Verdict.parse(JSON.parse(value)).event_id));
    const isAll = (values: readonly { readonly value: string }[]) => {
      const ids = idsOf(values);
      return wanted.every((id) => ids.has(id));
    };
    // The metadata of a consumer is at most a minute old.
    return eventually(
      () => readUntil(kafka, topics.verdicts, isAll, "verdicts").catch(() => undefined),
      (found) => found !== undefined,
      `verdicts of ${from} to ${until}`,
      120_000,
    );
  };
  return { kafka, topics, env, untilScreened };
}

const logOf = (worker: ReturnType<typeof start>, message: string, topic: string) =>
  eventually(
    () => worker.said(),
    (text) => text.split("\n").some((line) => line.includes(message) && line.includes(topic)),
    `a log line: ${message}`,
    90_000,
  );

clusterTest.for(kafkaVersions)(
  "Kafka %s: without its backfill topic the worker screens realtime events, and the topic once it is back",
  { timeout: TIMEOUT_MS },
  async (version) => {
    const { kafka, topics, env, untilScreened } = await world(version);
    const { live, bulk } = topics;
    const worker = start(["worker"], env);
    await produce(kafka, live, events(0, 5));
    await produce(kafka, bulk, events(5, 10));
    await untilScreened(0, 10);

    await deleteTopics(kafka, [bulk]);
    await produce(kafka, live, events(10, 15));
    await untilScreened(10, 15);
    await logOf(worker, "the topic does not exist: Weir skips the topic until the topic exists", bulk);

    // A worker that starts without the topic also works.
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
    const second = start(["worker"], env);
    await produce(kafka, live, events(15, 20));
    await untilScreened(15, 20);
    await createTopics(kafka, [{ topic: bulk, numPartitions: 3 }]);
    await produce(kafka, bulk, events(20, 40));
    await untilScreened(20, 40);

    // The topic is recreated while the worker runs: by now it has more records than were read before.
    await recreateTopic(kafka, live, 3);
    await produce(kafka, live, events(40, 120));
    await untilScreened(40, 120);
    second.child.kill("SIGTERM");
    expect((await second.ended).status).toBe(0);
  },
);

clusterTest(
  "a worker without its realtime topic does not start, and says which it is",
  async () => {
    const { kafka, topics, env } = await world(kafkaVersions[0]);
    await deleteTopics(kafka, [topics.live]);
    const { status, stderr, stdout } = await start(["worker"], env).ended;
    expect([status, `${stdout}${stderr}`]).toEqual([
      1,
      expect.stringContaining(`topic ${topics.live} (realtime): does not exist`),
    ]);
    await deleteTopics(kafka, [topics.bulk]);
    const none = await start(["worker"], { ...env, TOPICS_REALTIME: "" }).ended;
    expect([none.status, `${none.stdout}${none.stderr}`]).toEqual([
      1,
      expect.stringContaining(`topic ${topics.bulk} (backfill): does not exist`),
    ]);
  },
  TIMEOUT_MS,
);
